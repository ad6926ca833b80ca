import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { GITHUB_COMMAND } from '../../protocol/github.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { writeComment } from '../../protocol/run-markdown.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { phaseOf } from '../../protocol/session.ts';
import { githubAsks, githubComments } from '../db/schema.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { readReport } from '../reports/read.ts';
import type { ForgeApi } from './api.ts';
import type { ChannelRow } from './channels.ts';
import { cameToNothing } from './decide.ts';
import { markOf } from './marks.ts';
import type { TakePorts } from './take.ts';

/** Most sessions of a channel that are looked after, the newest first. */
const MAX_SESSIONS = 100;
/** Longest comment, in characters: GitHub takes 65,536. */
const COMMENT_MAX_CHARS = 60_000;

type Thread = { issue: number; sessionId: SessionId };

/** Tells on each issue what became of its session, once for each turn. */
export async function tellChannel(
  ports: TakePorts,
  channel: ChannelRow,
  forge: ForgeApi,
): Promise<void> {
  const threads = await ports.database
    .selectDistinct({ issue: githubAsks.issue, sessionId: githubAsks.sessionId })
    .from(githubAsks)
    .where(and(eq(githubAsks.channelId, channel.channelId), isNotNull(githubAsks.sessionId)))
    .orderBy(desc(githubAsks.at))
    .limit(MAX_SESSIONS);
  for (const { issue, sessionId } of threads)
    if (sessionId) await tellThread(ports, channel, forge, { issue, sessionId });
}

async function tellThread(
  ports: TakePorts,
  channel: ChannelRow,
  forge: ForgeApi,
  thread: Thread,
): Promise<void> {
  const { env, database, nowMs } = ports;
  const { accountId, channelId } = channel;
  const { view } = unwrap(await feedOf(env, accountId, thread.sessionId).readView());
  if (view.openTurnId !== null && view.pendingApprovals.length === 0) return;
  const over = keyOf(view, 'over');
  const told = await readTold(ports, channel, over);
  if (told?.commentId) return;
  const report = await readReport({ env, database, accountId, nowMs }, thread.sessionId);
  if (report.standing === 'starting' || report.standing === 'working') return;
  const asks = report.standing === 'needs_person';
  const tellKey = asks ? keyOf(view, 'asks') : over;
  const begun = asks ? await readTold(ports, channel, tellKey) : told;
  if (begun?.commentId) return;
  const row = { channelId, tellKey, accountId, actorId: channel.actorId, ...thread, at: nowMs };
  if (!begun) await database.insert(githubComments).values(row).onConflictDoNothing();
  // Begun and not known to be there: it may have arrived all the same.
  const there = begun ? await findPosted(forge, thread.issue, tellKey, begun.at) : null;
  const words = hidePlaces(writeComment(report), view) + (cameToNothing(view) ? AGAIN : '');
  const body = `${markOf(tellKey)}\n${words}`.slice(0, COMMENT_MAX_CHARS);
  const commentId = there ?? (await forge.postComment(thread.issue, body)).id;
  await database.update(githubComments).set({ commentId }).where(keyIs(channel, tellKey));
}

const AGAIN = `\n\nNothing of it was begun. Set the label again, or write \`${GITHUB_COMMAND}\` and what to do in a new comment: a new session starts.`;

/** Where the work lies on its machine is nobody's business on a forge. */
function hidePlaces(words: string, { checkout, launch }: SessionView): string {
  const places = [checkout?.directory, launch.directory].flatMap((place) => place ?? []);
  return places.reduce((told, place) => told.replaceAll(place, '.'), words);
}

/** What is told once: a turn of a session, or its launch where it came to none. */
function keyOf(view: SessionView, what: 'over' | 'asks'): string {
  const turn = view.turns.findLast(({ state }) => state !== 'accepted') ?? view.turns.at(-1);
  const end = phaseOf(view.state) === 'failed' ? `failed${view.stateAt}` : what;
  return [view.sessionId, turn?.turnId ?? 'launch', end].join(' ');
}

const keyIs = ({ channelId }: ChannelRow, tellKey: string) =>
  and(eq(githubComments.channelId, channelId), eq(githubComments.tellKey, tellKey));

async function readTold({ database }: TakePorts, channel: ChannelRow, tellKey: string) {
  const [row] = await database.select().from(githubComments).where(keyIs(channel, tellKey));
  return row ?? null;
}

/** Clocks differ: a comment is looked for from so long before it was begun, in ms. */
const CLOCKS_MS = 600_000;

async function findPosted(
  forge: ForgeApi,
  issue: number,
  tellKey: string,
  begunAt: number,
): Promise<number | null> {
  const comments = await forge.listCommentsOf(issue, begunAt - CLOCKS_MS);
  return comments.find(({ body }) => body?.startsWith(markOf(tellKey)))?.id ?? null;
}
