import type { UsageRange } from './read-usage.ts';

export const DAY_MS = 24 * 60 * 60_000;

/** Days since 1970 in UTC: `from` inclusive, `to` exclusive; undefined has no end. */
export type DayRange = { from?: number | undefined; to?: number | undefined };

/** How a range of time is read: whole days from their sums, the rest entry by entry. */
export type RangeSplit = { days: DayRange | null; edges: readonly UsageRange[] };

/**
 * Decides which part of a range is whole days. What is left are at most two parts, each shorter
 * than a day, or one part shorter than two days; together they are the range, and nothing twice.
 */
export function decideSplit({ from, to }: UsageRange): RangeSplit {
  const first = from === undefined ? undefined : Math.ceil(from / DAY_MS);
  const end = to === undefined ? undefined : Math.floor(to / DAY_MS);
  if (first !== undefined && end !== undefined && first >= end)
    return { days: null, edges: [{ from, to }] };
  const edges: UsageRange[] = [];
  if (from !== undefined && first !== undefined && from < first * DAY_MS)
    edges.push({ from, to: first * DAY_MS });
  if (to !== undefined && end !== undefined && end * DAY_MS < to)
    edges.push({ from: end * DAY_MS, to });
  return { days: { from: first, to: end }, edges };
}
