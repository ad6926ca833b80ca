/** The time from which a budget counts, and when it begins anew. Unix ms. */
export type Period = { from: number; renewsAt: number | null };

const HOUR_MS = 3_600_000;
/** No day of any zone is longer: clocks that go back make 25 hours of it. */
const DAY_MAX_MS = 26 * HOUR_MS;

/** The date in a zone, as a text that differs from one day to the next. */
function dateIn(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
  return (at) => format.format(at);
}

/** The period that a moment is in. A day is the zone's own, also when clocks change. */
export function periodOf(renews: 'daily' | 'never', zone: string, nowMs: number): Period {
  if (renews === 'never') return { from: 0, renewsAt: null };
  const date = dateIn(zone);
  const today = date(nowMs);
  return {
    from: firstWhere((at) => date(at) === today, nowMs - DAY_MAX_MS, nowMs),
    renewsAt: firstWhere((at) => date(at) !== today, nowMs, nowMs + DAY_MAX_MS),
  };
}

/** The first moment after `low` where `holds`, which does at `high` and goes on holding. */
function firstWhere(holds: (at: number) => boolean, low: number, high: number): number {
  let [before, after] = [low, high];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}
