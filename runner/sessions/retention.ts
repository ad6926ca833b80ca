import { setTimeout as delay } from 'node:timers/promises';
import type { SessionId } from '../../protocol/ids.ts';
import { DAY_MS } from '../../protocol/retention.ts';
import type { Release } from '../guard/release.ts';
import type { SessionState } from './session-state.ts';

/** How often it is looked for checkouts that may go, and how soon after a start. */
const RETENTION_EVERY_MS = DAY_MS / 4;
const RETENTION_FIRST_MS = 60_000;
/** Between two checkouts, so that a start with many of them leaves room for work. */
const PAUSE_MS = 250;

/** Whether nobody works in a session's checkout and no commits are on their way from it. Pure. */
export function isCheckoutFree(state: Pick<SessionState, 'phase' | 'bringingBack'>): boolean {
  return state.phase.kind === 'over' && state.bringingBack === null;
}

/**
 * Decides whether a session's own checkout may be asked to go by itself: free, and old enough.
 * Whether anything would be lost is asked of git. Pure.
 */
export function decideReleasable(
  state: Pick<SessionState, 'phase' | 'launchedAt' | 'bringingBack'>,
  keptMs: number,
  nowMs: number,
): boolean {
  return isCheckoutFree(state) && nowMs - state.launchedAt >= keptMs;
}

type Started = { sessionId: SessionId; startedAt: number };

/** A page of what was started, newest first, after the place that `cursor` names. Pure. */
export function pageOfCheckouts(all: readonly Started[], cursor: string | null, limit: number) {
  const sorted = all.toSorted(
    (a, b) => b.startedAt - a.startedAt || (a.sessionId < b.sessionId ? -1 : 1),
  );
  const from = cursor === null ? 0 : sorted.findIndex((one) => isAfter(one, cursor));
  const items = from === -1 ? [] : sorted.slice(from, from + limit);
  const cursorAfter = (count: number): string | null => {
    const last = items[count - 1];
    return last ? placeOf(last) : null;
  };
  const more = from !== -1 && sorted.length > from + items.length;
  return { items, cursorAfter, nextCursor: more ? cursorAfter(items.length) : null };
}

const placeOf = ({ startedAt, sessionId }: Started): string => `${startedAt}.${sessionId}`;

/** Whether something comes after a place, which itself may be gone by now. */
function isAfter({ startedAt, sessionId }: Started, cursor: string): boolean {
  const dot = cursor.indexOf('.');
  const at = Number(cursor.slice(0, dot));
  return startedAt < at || (startedAt === at && sessionId > cursor.slice(dot + 1));
}

/** Does something soon and then every few hours, one round after the other. Answers what ends it. */
export function keepHouse(round: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      void round().finally(() => {
        if (!ended) wait(RETENTION_EVERY_MS);
      });
    }, ms);
    timer.unref();
  };
  wait(RETENTION_FIRST_MS);
  return () => {
    ended = true;
    if (timer) clearTimeout(timer);
  };
}

/** Releases one checkout after the other; `release` answers null for one that must not go now. */
export async function releaseEach<Id>(
  ids: readonly Id[],
  release: (id: Id) => Promise<Release | null>,
  tell: (id: Id, release: Release) => void,
  pauseMs = PAUSE_MS,
): Promise<void> {
  for (const id of ids) {
    const released = await release(id);
    if (!released) continue;
    tell(id, released);
    await delay(pauseMs, undefined, { ref: false });
  }
}
