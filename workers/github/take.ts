import { and, asc, desc, eq, isNotNull } from 'drizzle-orm';
import { ERRORS, PilothouseError } from '../../protocol/errors.ts';
import type { GithubVerdict } from '../../protocol/github.ts';
import { GITHUB_ACTOR, makeId, type SessionId, type TurnId } from '../../protocol/ids.ts';
import { can, phaseOf } from '../../protocol/session.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { githubAsks, githubComments } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { launchSession } from '../sessions/launch.ts';
import type { ChannelRow } from './channels.ts';
import { cameToNothing, decideGithub, type Wanted } from './decide.ts';
import type { GithubEvent } from './event.ts';
import { fenceWords } from './fence.ts';

type AskRow = typeof githubAsks.$inferSelect;
export type TakePorts = { env: Env; database: Database; nowMs: number };

/**
 * Takes something that happened on GitHub: decides, keeps what is asked, then does it. The same
 * issue or comment again, by whichever way and under whichever delivery id, is nothing new.
 */
export async function takeEvent(
  ports: TakePorts,
  channel: ChannelRow,
  event: GithubEvent,
  deliveryId: string | null,
): Promise<GithubVerdict> {
  const { database, nowMs } = ports;
  const posted =
    event.kind === 'commented' && (await isPosted(database, channel, event.comment.id));
  const wanted = decideGithub(event, channel, posted);
  if (wanted.do === 'ignore' || event.kind === 'other')
    return verdictOf('ignored', wanted.do === 'ignore' ? wanted.reason : 'Nothing is asked.');
  const source = await sourceOf(ports, channel, wanted, event.at);
  const seed = await sha256Hex(`${channel.channelId} ${channel.sealedToken} ${source}`);
  const row: AskRow = {
    channelId: channel.channelId,
    sourceKey: source,
    accountId: channel.accountId,
    actorId: GITHUB_ACTOR,
    deliveryId,
    issue: wanted.issue.number,
    instruction: fenceWords(channel.repository, wanted, seed.slice(0, 16)),
    kind: wanted.do,
    turnId: makeId('trn', event.at, new TextEncoder().encode(seed.slice(16, 28))),
    verdict: 'waiting',
    reason: 'It was kept.',
    sessionId: null,
    at: nowMs,
  };
  const kept = await database.insert(githubAsks).values(row).onConflictDoNothing().returning();
  if (kept.length === 0) return verdictOf('ignored', 'It was taken before.');
  return settleAsk(ports, channel, row);
}

/** Does what was kept. What fails for now stays waiting, and is tried again by the courier. */
export async function settleAsk(
  ports: TakePorts,
  channel: ChannelRow,
  ask: AskRow,
): Promise<GithubVerdict> {
  const settled = await doAsk(ports, channel, ask).catch((error: unknown) => {
    if (!(error instanceof PilothouseError)) throw error;
    const verdict = ERRORS[error.code].retryable ? 'waiting' : 'refused';
    return verdictOf(verdict, error.message);
  });
  await ports.database
    .update(githubAsks)
    .set(settled)
    .where(and(eq(githubAsks.channelId, ask.channelId), eq(githubAsks.sourceKey, ask.sourceKey)));
  return settled;
}

async function doAsk(
  ports: TakePorts,
  channel: ChannelRow,
  { kind, issue, turnId, instruction }: AskRow,
): Promise<GithubVerdict> {
  const session = await findSession(ports.database, channel, issue);
  if (session === null) return launch(ports, channel, { turnId, instruction });
  const feed = feedOf(ports.env, channel.accountId, session);
  const { view } = unwrap(await feed.readView());
  if (cameToNothing(view)) {
    const objective = kind === 'start' ? null : await readObjective(ports.database, channel, issue);
    const whole = objective === null ? instruction : `${objective}\n\n${instruction}`;
    return launch(ports, channel, { turnId, instruction: whole });
  }
  if (kind === 'start') return verdictOf('ignored', 'The issue has a session already.', session);
  // An ended session is gone on from, on its own record.
  if (phaseOf(view.state) === 'ended')
    return launch(ports, channel, { turnId, instruction, from: session });
  const permission = can('instruct', view.state);
  if (!permission.allowed) throw new PilothouseError(permission.code);
  const order = { turnId, text: instruction, actorId: GITHUB_ACTOR, steer: false, keyHash: null };
  unwrap(await feed.instruct(order));
  return verdictOf('steered', 'Its session got it as its next instruction.', session);
}

/**
 * Names what was asked. A label that was set again after the issue's session came to nothing is
 * another wish, once for each such session; the same event found again is older than that.
 */
async function sourceOf(
  { env, database }: TakePorts,
  channel: ChannelRow,
  wanted: Exclude<Wanted, { do: 'ignore' }>,
  at: number,
): Promise<string> {
  if (wanted.do !== 'start') return wanted.source;
  const session = await findSession(database, channel, wanted.issue.number);
  if (session === null) return wanted.source;
  const { view } = unwrap(await feedOf(env, channel.accountId, session).readView());
  return cameToNothing(view) && at > view.stateAt
    ? `${wanted.source} after ${session}`
    : wanted.source;
}

/** What the issue itself asks for, as its first label began it. */
async function readObjective(
  database: Database,
  { channelId }: ChannelRow,
  issue: number,
): Promise<string | null> {
  const ofIssue = [eq(githubAsks.channelId, channelId), eq(githubAsks.issue, issue)];
  const [row] = await database
    .select({ instruction: githubAsks.instruction })
    .from(githubAsks)
    .where(and(...ofIssue, eq(githubAsks.kind, 'start')))
    .orderBy(asc(githubAsks.at))
    .limit(1);
  return row?.instruction ?? null;
}

/** Launches with what the connection says, and nothing that an issue says. */
async function launch(
  { env, database, nowMs }: TakePorts,
  { accountId, launch: fixed }: ChannelRow,
  { turnId, instruction, from }: { turnId: TurnId; instruction: string; from?: SessionId },
): Promise<GithubVerdict> {
  const request = { ...fixed, objective: instruction, turnId, ...(from && { from }) };
  const principal: Principal = {
    kind: 'cli',
    name: 'github',
    accountId,
    actorId: GITHUB_ACTOR,
    runnerId: null,
    decisions: null,
    tokenHash: null,
    expiresAt: null,
  };
  const { sessionId } = await launchSession(env, database, principal, request, nowMs);
  return verdictOf('started', 'A session was launched for it.', sessionId);
}

/** The session that an issue has, the last one. */
async function findSession(
  database: Database,
  { channelId }: ChannelRow,
  issue: number,
): Promise<SessionId | null> {
  const [row] = await database
    .select({ sessionId: githubAsks.sessionId })
    .from(githubAsks)
    .where(
      and(
        eq(githubAsks.channelId, channelId),
        eq(githubAsks.issue, issue),
        isNotNull(githubAsks.sessionId),
      ),
    )
    .orderBy(desc(githubAsks.at))
    .limit(1);
  return row?.sessionId ?? null;
}

async function isPosted(
  database: Database,
  { channelId }: ChannelRow,
  commentId: number,
): Promise<boolean> {
  const rows = await database
    .select({ commentId: githubComments.commentId })
    .from(githubComments)
    .where(and(eq(githubComments.channelId, channelId), eq(githubComments.commentId, commentId)));
  return rows.length > 0;
}

const verdictOf = (
  verdict: GithubVerdict['verdict'],
  reason: string,
  sessionId: SessionId | null = null,
): GithubVerdict => ({ verdict, reason, sessionId });
