/** How often something may be done, and within which time, in ms. */
export type Pace = { most: number; withinMs: number };

/**
 * How often a session may have a forge called, on a login that a person needs too (GitHub: 5,000 an
 * hour). One ask of a session's is several calls.
 */
export const CALL_PACE: Pace = { most: 120, withinMs: 600_000 };
/** How often it may ask for something to be written: an ask writes once at most. */
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

/** Why something may not be done yet, and in how many seconds it may. */
export type Late = { waitSeconds: number; reason: string };

/** A pace that is kept: what was done is charged to it, or it is only looked at. Null: it may be. */
export type KeptPace = { charge(): Late | null; look(): Late | null };

/** Keeps a pace in memory. `what` is what is done as its refusal says it: `asked for a change`. */
export function keepPace(now: () => number, pace: Pace, what: string): KeptPace {
  let times: readonly number[] = [];
  const decide = (charged: boolean): Late | null => {
    const verdict = decidePace(times, now(), pace);
    if (verdict.ok) {
      if (charged) ({ times } = verdict);
      return null;
    }
    const { waitSeconds } = verdict;
    const reason = `nothing was asked of the forge: this session has ${what} ${pace.most} times within ${pace.withinMs / 60_000} minutes, which is the most; try again in ${waitSeconds} seconds`;
    return { waitSeconds, reason };
  };
  return { charge: () => decide(true), look: () => decide(false) };
}
