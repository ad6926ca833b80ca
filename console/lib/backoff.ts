/** Longest pause between two attempts to connect, in ms. */
export const RETRY_MAX_MS = 15_000;
const RETRY_FIRST_MS = 400;

/**
 * How long to wait before attempt number `attempt` (from 0), in ms: doubling, with up to half
 * taken off at random so that many pages do not come back at one instant.
 */
export function decideRetryDelay(attempt: number, random: number): number {
  const full = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (1 - random / 2));
}
