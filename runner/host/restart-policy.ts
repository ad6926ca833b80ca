/** A process that ran this long was well: what follows is a new failure, not the same one. */
const STABLE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;

/**
 * Decides how long to wait before a process that ended by itself is started again: at once more
 * or less the first time, then doubling, and from the start again once it ran for a minute.
 */
export function decideRestart(
  failures: number,
  ranForMs: number,
): { failures: number; delayMs: number } {
  const next = ranForMs >= STABLE_MS ? 1 : failures + 1;
  return { failures: next, delayMs: Math.min(FIRST_DELAY_MS * 2 ** (next - 1), MAX_DELAY_MS) };
}
