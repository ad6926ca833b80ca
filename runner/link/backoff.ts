export type Backoff = { baseMs: number; capMs: number };

export const LINK_BACKOFF: Backoff = { baseMs: 250, capMs: 30_000 };

/**
 * How long to wait before attempt number `failures` (from 1), in ms: exponential with full
 * jitter, so that many runners that lost one server do not all return in the same instant.
 * `chance` is in [0, 1).
 */
export function decideBackoffMs(failures: number, backoff: Backoff, chance: number): number {
  const ceiling = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.max(0, failures - 1));
  return Math.floor(chance * ceiling);
}
