import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCount, parseDollars, parseTime } from '../../../runner/cli/options.ts';

describe('a budget as typed', () => {
  it.each([
    ['5', 5_000_000],
    ['$2.50', 2_500_000],
    ['0.000001', 1],
    ['12.345678', 12_345_678],
  ])('%s is %i micro-USD', (text, microUsd) => {
    expect(parseDollars(text)).toBe(microUsd);
  });

  it.each(['', '0', '0.00', '-1', '1e3', 'five', '1,5', '1.2345678', 'NaN'])(
    '%j is refused',
    (text) => {
      expect(() => parseDollars(text)).toThrow(/amount of US dollars/);
    },
  );

  it('is exact to the micro-dollar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (microUsd) => {
        const text = `${Math.floor(microUsd / 1e6)}.${String(microUsd % 1e6).padStart(6, '0')}`;
        expect(parseDollars(text)).toBe(microUsd);
      }),
    );
  });
});

describe('a count as typed', () => {
  it('is a whole number from 1 up', () => {
    expect(parseCount('20')).toBe(20);
    for (const text of ['0', '-1', '1.5', 'x', '', ' 7', '0x10', '1e3', '+5'])
      expect(() => parseCount(text)).toThrow(/whole number/);
  });
});

describe('a time as typed', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');

  it('is how long ago', () => {
    expect(parseTime('24h', now)).toBe(now - 86_400_000);
    expect(parseTime('7d', now)).toBe(now - 7 * 86_400_000);
  });

  it('is a full time with its zone', () => {
    expect(parseTime('2026-11-01T00:00:00Z', now)).toBe(Date.parse('2026-11-01T00:00:00Z'));
  });

  it('is a date, from midnight where the person is', () => {
    expect(new Date(parseTime('2026-11-01', now)).getHours()).toBe(0);
  });

  it('is refused otherwise', () => {
    for (const text of ['', 'yesterday', '7w'])
      expect(() => parseTime(text, now)).toThrow(/Give a date/);
  });
});
