import { setTimeout as delay } from 'node:timers/promises';
import type { Checkout } from '../guard/checkout.ts';
import type { Release } from '../guard/release.ts';
import type { SessionState } from './session-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the checkout of a session that is over is kept after its engine last started. */
export const CHECKOUT_KEEP_MS = 30 * DAY_MS;
/** How often it is looked for checkouts that may go, and how soon after a start. */
export const RETENTION_EVERY_MS = DAY_MS / 4;
export const RETENTION_FIRST_MS = 60_000;
/** Between two checkouts, so that a start with many of them leaves room for work. */
const PAUSE_MS = 250;

/**
 * Decides whether a session's checkout may be asked to go: its own, of a session that is over,
 * with no commits under way, and old enough. Whether anything would be lost is asked of git. Pure.
 */
export function decideReleasable(
  state: Pick<SessionState, 'phase' | 'launchedAt' | 'bringingBack'>,
  checkout: Checkout | null,
  nowMs: number,
): boolean {
  if (checkout?.mode !== 'own' || state.bringingBack !== null) return false;
  return state.phase.kind === 'over' && nowMs - state.launchedAt >= CHECKOUT_KEEP_MS;
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
