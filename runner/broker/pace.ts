/** How often something may be done, and within which time, in ms. */
export type Pace = { most: number; withinMs: number };

/** What a session may ask a forge, on a login that a person needs too (GitHub: 5,000 an hour). */
export const READ_PACE: Pace = { most: 120, withinMs: 600_000 };
export const WRITE_PACE: Pace = { most: 20, withinMs: 600_000 };

/**
 * Decides whether something may be done once more. `times` is when it was, Unix ms; the answer has
 * those that still count, or in how many seconds it may be. Pure.
 */
export function decidePace(
  times: readonly number[],
  nowMs: number,
  { most, withinMs }: Pace,
): { ok: true; times: number[] } | { ok: false; waitSeconds: number } {
  const recent = times.filter((at) => at > nowMs - withinMs);
  const [first] = recent;
  if (recent.length < most || first === undefined) return { ok: true, times: [...recent, nowMs] };
  return { ok: false, waitSeconds: Math.ceil((first + withinMs - nowMs) / 1_000) };
}
