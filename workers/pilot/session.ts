import { holdsEngineUp } from '../../protocol/approval.ts';
import { isClaimed } from '../../protocol/gated-act.ts';
import type { EntriesPage } from '../../protocol/http.ts';
import { PILOT_ACTOR, type RunnerId, type TurnId } from '../../protocol/ids.ts';
import type { EventOf, FeedEntry } from '../../protocol/engine-event.ts';
import { forecastReread, rereadTokensOf } from '../../protocol/reread-forecast.ts';
import type { SessionView, TurnView } from '../../protocol/session-view.ts';
import type { FeedCalls } from '../lib/calls.ts';
import { type Outcome, unwrap } from '../lib/outcome.ts';
import type { Observation, TurnFacts } from './core/state.ts';
import { fingerprint } from './core/loop-breaker.ts';

/** What a Pilot may ask of a feed. */
export type PilotFeed = Pick<
  FeedCalls,
  'readView' | 'instruct' | 'request' | 'listEntries' | 'brain'
>;

/** Entries read at a time. */
const PAGE = 500;

/** The session as the rules look at it. */
export function observationOf(
  view: SessionView,
  open: TurnId | null,
  resetsAt: number | null,
): Observation {
  const turn = view.turns.find(({ turnId }) => turnId === open);
  return {
    session: view.state,
    sessionReason: view.reason,
    failure: view.failure?.error.code ?? null,
    resetsAt,
    takenOver: Boolean(view.takeover),
    turn: open === null ? 'none' : turn ? progressOf(turn) : 'absent',
    busy: view.turns.some(
      (other) => other.turnId !== open && (other.turnId === view.openTurnId || isWaiting(other)),
    ),
    asks: view.pendingApprovals.some(holdsEngineUp),
  };
}

function progressOf({ state, delivery }: TurnView): Observation['turn'] {
  if (state !== 'accepted') return state;
  return delivery === 'undelivered' || delivery === 'unknown' ? delivery : 'accepted';
}

const isWaiting = ({ state, delivery }: TurnView): boolean =>
  state === 'accepted' && delivery !== 'undelivered' && delivery !== 'unknown';

/** What a turn came to, read from the record after `position`. */
export async function readFacts(
  feed: PilotFeed,
  view: SessionView,
  turnId: TurnId,
  position: number,
): Promise<TurnFacts> {
  const turn = view.turns.find((candidate) => candidate.turnId === turnId);
  const changes: string[] = [];
  let resetsAt: number | null = null;
  let acts = 0;
  let tip: string | null = null;
  let read = position;
  for (;;) {
    const { entries, last }: EntriesPage = unwrap(await feed.listEntries(read, PAGE));
    for (const { event } of entries) {
      changes.push(...changesOf(event));
      if (event.type === 'rateLimit/reported') resetsAt = event.resetsAt ?? resetsAt;
      if (event.type === 'checkout/broughtBack') tip = tipOf(event);
      if (event.type === 'act/seen' && !isClaimed(event.act)) acts += 1;
    }
    read = entries.at(-1)?.position ?? last;
    if (read >= last) break;
  }
  return {
    turnId,
    outcome: turn?.outcome ?? 'unknown',
    failure: turn?.error?.code ?? null,
    message: turn?.error?.message ?? null,
    resetsAt,
    changes: changes.length > 0 ? fingerprint(changes.join('\n')) : null,
    tip,
    acts,
    reread: forecastReread(view),
    rereadTokens: rereadTokensOf(view),
    compactedAt: view.compactedAt ?? null,
    position: read,
  };
}

/** What git has of the work, whatever the engine tells; null while it is as at the launch. */
function tipOf(event: EventOf<'checkout/broughtBack'>): string | null {
  const { commit, commits, uncommittedFiles } = event;
  return commits + uncommittedFiles === 0 ? null : `${commit} and ${uncommittedFiles} files`;
}

function changesOf(event: FeedEntry['event']): string[] {
  if (event.type === 'tool/ended')
    return event.files.map(({ path, change, patch }) => `${path} ${change} ${patch.text}`);
  return [];
}

/** The last entries of a session's record, oldest first: as many as one page holds. */
export async function readLatest(feed: PilotFeed): Promise<readonly FeedEntry[]> {
  const { last }: EntriesPage = unwrap(await feed.listEntries(0, 1));
  const { entries }: EntriesPage = unwrap(await feed.listEntries(Math.max(0, last - PAGE), PAGE));
  return entries;
}

/** The view of a run's session. Throws `session_not_found`. */
export async function readSessionOf(
  feed: PilotFeed,
): Promise<{ runnerId: RunnerId; view: SessionView }> {
  return unwrap(await feed.readView());
}

/** Hands an instruction over; the same turn again is the same instruction. */
export function sendInstruction(
  feed: PilotFeed,
  turn: { turnId: TurnId; text: string },
): Promise<Outcome<{ turnId: TurnId }>> {
  return feed.instruct({ ...turn, actorId: PILOT_ACTOR, keyHash: null });
}
