import { describe, expect, it } from 'vitest';
import { dayOf, periodSearch, windowOf, windowOfPeriod } from '../../../console/ledger/window.ts';

const NOW = new Date(2026, 10, 30, 15, 30).getTime();
const midnight = (month: number, day: number) => new Date(2026, month - 1, day).getTime();

describe('the time of a ledger', () => {
  it('begins at midnight of the reader’s own day, and has no end', () => {
    expect(windowOf('today', NOW)).toEqual({ from: midnight(11, 30), to: undefined });
    expect(windowOf('week', NOW)).toEqual({ from: midnight(11, 24), to: undefined });
    expect(windowOf('month', NOW)).toEqual({ from: midnight(11, 1), to: undefined });
    expect(windowOf('all', NOW)).toEqual({ from: undefined, to: undefined });
  });

  it('is the same all day long, so that what was read stays good', () => {
    expect(windowOf('week', NOW)).toEqual(windowOf('week', NOW + 60 * 60_000));
  });

  it('is the usual one where the address says nothing', () => {
    expect(windowOfPeriod({}, 'month', NOW)).toEqual(windowOf('month', NOW));
    expect(windowOfPeriod({ time: 'today' }, 'month', NOW)).toEqual(windowOf('today', NOW));
  });

  it('holds both the first and the last day of a person’s dates', () => {
    const period = { time: 'dates', from: '2026-11-02', to: '2026-11-03' } as const;
    expect(windowOfPeriod(period, 'month', NOW)).toEqual({
      from: midnight(11, 2),
      to: midnight(11, 4),
    });
  });

  it('is open where one of the dates is left out', () => {
    expect(windowOfPeriod({ time: 'dates', to: '2026-11-03' }, 'month', NOW)).toEqual({
      from: undefined,
      to: midnight(11, 4),
    });
  });

  it('counts a day of 23 hours as one day', () => {
    const { from = 0, to = 0 } = windowOfPeriod(
      { time: 'dates', from: '2026-03-29', to: '2026-03-29' },
      'month',
      NOW,
    );
    expect(dayOf(from)).toBe('2026-03-29');
    expect(dayOf(to)).toBe('2026-03-30');
  });
});

describe('the address of a ledger’s time', () => {
  it('reads what a link says', () => {
    const period = { time: 'dates', from: '2026-11-02', to: '2026-11-03' };
    expect(periodSearch.parse(period)).toEqual(period);
  });

  it.each([
    ['a time that is none', { time: 'fortnight' }],
    ['a day that is none', { from: '2026-02-30' }],
    ['words in place of a day', { to: 'yesterday' }],
  ])('reads %s as unsaid, and fails nobody’s page', (_, search) => {
    expect(Object.values(periodSearch.parse(search)).filter(Boolean)).toEqual([]);
  });

  it('writes a day as it reads it', () => {
    expect(dayOf(midnight(3, 5))).toBe('2026-03-05');
  });
});
