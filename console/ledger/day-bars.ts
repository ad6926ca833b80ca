import type { BucketTotal, Payer, SpendBucket } from '../../protocol/usage.ts';
import type { UsageDay } from '../../protocol/usage-views.ts';

/** One kind of figure of one payer: what a part of a bar stands for. */
export type Series = { payer: Payer; bucket: SpendBucket };

/** Money that was charged, and list prices that a subscription pays: no bar holds both. */
export const PANELS = ['charged', 'notional'] as const;
export type Panel = (typeof PANELS)[number];

/** What is drawn, from the axis up. What nobody knows, and a rehearsal, have no height. */
export const SERIES: Record<Panel, readonly Series[]> = {
  charged: [
    { payer: 'api-key', bucket: 'reported' },
    { payer: 'api-key', bucket: 'estimated' },
    { payer: 'api-key', bucket: 'unsettled' },
    { payer: 'unknown', bucket: 'reported' },
    { payer: 'unknown', bucket: 'estimated' },
    { payer: 'unknown', bucket: 'unsettled' },
  ],
  notional: [{ payer: 'subscription', bucket: 'notional' }],
};

export type Part = Series & { microUsd: number };
/** `key` is a day or a month; `unpriced`: figures without a price, by which the bar is too short. */
export type Bar = { key: string; parts: Part[]; microUsd: number; unpriced: number };
export type Chart = { bars: Bar[]; series: Series[]; topMicroUsd: number };

/** More days than these are drawn as months. */
export const MOST_DAYS = 92;
const DAY_MS = 24 * 60 * 60_000;

/** Every day or month from the first to the last that has an entry, quiet ones included. */
export function listSteps(days: readonly Pick<UsageDay, 'day'>[]): string[] {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const steps: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    steps.push(new Date(at).toISOString().slice(0, 10));
  return steps.length <= MOST_DAYS ? steps : [...new Set(steps.map((day) => day.slice(0, 7)))];
}

/** Lays out one panel. Pure: adds figures of one payer and one kind, and no others. */
export function layoutBars(days: readonly UsageDay[], panel: Panel): Chart {
  const steps = listSteps(days);
  const width = steps[0]?.length ?? 0;
  const bars = steps.map((key): Bar => {
    const within = days.filter(({ day }) => day.slice(0, width) === key);
    const parts = SERIES[panel].flatMap((series): Part[] => {
      const totals = totalsOf(within, series);
      const microUsd = totals.reduce((sum, total) => sum + total.microUsd, 0);
      return microUsd > 0 ? [{ ...series, microUsd }] : [];
    });
    const unpriced = SERIES[panel]
      .flatMap((series) => totalsOf(within, series))
      .reduce((sum, total) => sum + total.unpriced, 0);
    return { key, parts, microUsd: parts.reduce((sum, part) => sum + part.microUsd, 0), unpriced };
  });
  const series = SERIES[panel].filter(({ payer, bucket }) =>
    bars.some(({ parts }) => parts.some((part) => part.payer === payer && part.bucket === bucket)),
  );
  return { bars, series, topMicroUsd: roundUp(Math.max(0, ...bars.map((bar) => bar.microUsd))) };
}

const totalsOf = (days: readonly UsageDay[], { payer, bucket }: Series): BucketTotal[] =>
  days.flatMap((day) => {
    const total = day.payer === payer ? day.totals[bucket] : undefined;
    return total ? [total] : [];
  });

/** The next amount that reads well on an axis, and so does its half. */
export function roundUp(microUsd: number): number {
  if (microUsd <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(microUsd));
  return (
    [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= microUsd) ?? microUsd
  );
}
