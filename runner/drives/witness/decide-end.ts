import type { DriveEnd } from '../../../protocol/drive-witness.ts';
import type { PaneState } from '../../../protocol/terminal.ts';

/** How long a terminal has to wait for words before what was written there is over, in ms. */
const SETTLED_MS = 2_000;
/** The longest that a write is followed where the terminal shows when it is over, in ms. */
const FOLLOWED_MS = 15 * 60_000;
/** And where it does not: a program in front may do anything at any time. */
const BLIND_MS = 2 * 60_000;

export type FollowedWrite = {
  /** When the terminal took it, Unix ms. */
  writtenAt: number;
  /** What is in front now; null: the terminal is gone. */
  state: PaneState | null;
  /** Since when the coding agent in it says that it waits for words, Unix ms; null: it does not say so. */
  idleSince: number | null;
  /** A coding agent that says so is in it. */
  tells: boolean;
};

/** Decides whether what was written has had its effect. Null: not that anything shows. Pure. */
export function decideEnd(
  { writtenAt, state, idleSince, tells }: FollowedWrite,
  nowMs: number,
): DriveEnd | null {
  if (state === null || state === 'ended') return 'ended';
  const waited = nowMs - writtenAt;
  if (state === 'shell' && waited >= SETTLED_MS) return 'idle';
  if (idleSince !== null && nowMs - Math.max(idleSince, writtenAt) >= SETTLED_MS) return 'idle';
  return waited > (state === 'program' || tells ? FOLLOWED_MS : BLIND_MS) ? 'late' : null;
}
