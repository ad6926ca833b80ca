import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addUsage,
  bucketOf,
  PROVENANCES,
  payer as payers,
  type SpendTotals,
} from '../../../protocol/usage.ts';
import type { UsageDay } from '../../../protocol/usage-views.ts';
import {
  layoutBars,
  listSteps,
  MOST_DAYS,
  PANELS,
  roundUp,
  SERIES,
} from '../../../console/ledger/day-bars.ts';
import { aUsage } from '../../support/protocol-builders.ts';

const totals = (...entries: Parameters<typeof aUsage>[0][]): SpendTotals =>
  entries.map((entry) => aUsage(entry)).reduce(addUsage, {});
const day = (date: string, payer: UsageDay['payer'], sums: SpendTotals): UsageDay => ({
  day: date,
  payer,
  totals: sums,
});

describe('the steps of a chart', () => {
  it('are every day from the first to the last, quiet ones included', () => {
    expect(listSteps([{ day: '2026-02-27' }, { day: '2026-03-02' }])).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(listSteps([])).toEqual([]);
  });

  it('are months where the days would be too thin to see', () => {
    const many = listSteps([{ day: '2025-11-30' }, { day: '2026-03-02' }]);
    expect(many).toEqual(['2025-11', '2025-12', '2026-01', '2026-02', '2026-03']);
    const just = listSteps([{ day: '2026-01-01' }, { day: '2026-04-02' }]);
    expect(just).toHaveLength(MOST_DAYS);
  });
});

describe('the bars of a chart', () => {
  it('stack what was charged by payer and kind, from the axis up', () => {
    const { bars, series } = layoutBars(
      [
        day('2026-11-28', 'unknown', totals({ payer: 'unknown', microUsd: 5 })),
        day(
          '2026-11-28',
          'api-key',
          totals({ microUsd: 100 }, { microUsd: 30, provenance: 'estimated' }),
        ),
      ],
      'charged',
    );
    expect(bars).toMatchObject([
      {
        key: '2026-11-28',
        microUsd: 135,
        parts: [
          { payer: 'api-key', bucket: 'reported', microUsd: 100 },
          { payer: 'api-key', bucket: 'estimated', microUsd: 30 },
          { payer: 'unknown', bucket: 'reported', microUsd: 5 },
        ],
      },
    ]);
    expect(series).toHaveLength(3);
  });

  it('hold list prices apart, with a height of their own', () => {
    const days = [
      day('2026-11-28', 'api-key', totals({ microUsd: 100 })),
      day('2026-11-28', 'subscription', totals({ payer: 'subscription', microUsd: 90_000 })),
    ];
    expect(layoutBars(days, 'charged').topMicroUsd).toBe(100);
    expect(layoutBars(days, 'notional').topMicroUsd).toBe(100_000);
  });

  it('give a rehearsal and what nobody knows no height, and count what has no price', () => {
    const { bars, topMicroUsd } = layoutBars(
      [
        day(
          '2026-11-28',
          'api-key',
          totals(
            { microUsd: 9, provenance: 'rehearsal' },
            { microUsd: null, provenance: 'unmetered' },
            { microUsd: null, provenance: 'estimated' },
          ),
        ),
      ],
      'charged',
    );
    expect(bars).toEqual([{ key: '2026-11-28', parts: [], microUsd: 0, unpriced: 1 }]);
    expect(topMicroUsd).toBe(0);
  });

  it('add the days of a month where they are drawn as one', () => {
    const { bars } = layoutBars(
      [
        day('2026-01-03', 'api-key', totals({ microUsd: 1 })),
        day('2026-01-30', 'api-key', totals({ microUsd: 2 })),
        day('2026-06-01', 'api-key', totals({ microUsd: 4 })),
      ],
      'charged',
    );
    expect(bars.map(({ key, microUsd }) => [key, microUsd])).toEqual([
      ['2026-01', 3],
      ['2026-02', 0],
      ['2026-03', 0],
      ['2026-04', 0],
      ['2026-05', 0],
      ['2026-06', 4],
    ]);
  });

  it('lose and double no dollar, and put none of one panel into the other', () => {
    const entry = fc.record({
      date: fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, '0')}`),
      payer: fc.constantFrom(...payers.options),
      provenance: fc.constantFrom(...PROVENANCES),
      microUsd: fc.option(fc.nat(9_000_000)),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const days = new Map<string, UsageDay>();
        for (const { date, payer, ...rest } of entries) {
          const before = days.get(date + payer)?.totals ?? {};
          days.set(date + payer, day(date, payer, addUsage(before, aUsage({ payer, ...rest }))));
        }
        const sorted = [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
        for (const panel of PANELS) {
          const drawn = layoutBars(sorted, panel).bars.reduce((sum, bar) => sum + bar.microUsd, 0);
          const held = entries
            .filter((each) =>
              SERIES[panel].some(
                ({ payer, bucket }) => payer === each.payer && bucket === bucketOf(each),
              ),
            )
            .reduce((sum, { microUsd }) => sum + (microUsd ?? 0), 0);
          expect(drawn).toBe(held);
        }
      }),
    );
  });
});

describe('the top of an axis', () => {
  it.each([
    [0, 0],
    [1, 1],
    [3, 3],
    [7, 8],
    [1_400_000, 2_000_000],
    [2_000_000, 2_000_000],
    [5_100_000, 6_000_000],
    [9_000_000, 10_000_000],
  ])('over %i is %i', (highest, top) => expect(roundUp(highest)).toBe(top));
});
