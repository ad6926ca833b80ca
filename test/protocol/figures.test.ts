import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatMoney,
  formatSpend,
  formatTokens,
  plural,
  tokensOf,
} from '../../protocol/figures.ts';
import { addUsage, type SpendTotals, type UsageEntry } from '../../protocol/usage.ts';
import { aUsage } from '../support/protocol-builders.ts';

const spent = (...entries: Partial<UsageEntry>[]): SpendTotals =>
  entries.map(aUsage).reduce<SpendTotals>(addUsage, {});

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [1, '< $0.01'],
    [9_999, '< $0.01'],
    [10_000, '$0.01'],
    [994_999, '$0.99'],
    [995_000, '$1.00'],
    [1_234_567_890, '$1,234.57'],
  ])('of %i micro-dollars is %s', (microUsd, text) => {
    expect(formatMoney(microUsd)).toBe(text);
  });

  it('is off by half a cent at most, and has two digits for cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 10 ** 12 }), (microUsd) => {
        const text = formatMoney(microUsd);
        expect(text).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/);
        const back = Math.round(Number(text.replaceAll(/[$,]/g, '')) * 1_000_000);
        expect(Math.abs(back - microUsd)).toBeLessThanOrEqual(5_000);
      }),
    );
  });
});

describe('a span of time', () => {
  it.each([
    [0, '0.0 s'],
    [449, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1m 0s'],
    [134_000, '2m 14s'],
    [3_599_499, '59m 59s'],
    [3_599_500, '1h 0m'],
    [3_780_000, '1h 3m'],
    [90_000_000, '25h 0m'],
  ])('of %i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('never says sixty of what the next unit counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (ms) => {
        expect(formatDuration(ms)).not.toMatch(/\b60(?: s|s|m)/);
      }),
    );
  });
});

describe('counts', () => {
  it.each([
    [999, '999'],
    [1_000, '1 K'],
    [999_499, '999 K'],
    [999_500, '1.0 M'],
    [48_250_000, '48.3 M'],
  ])('of %i tokens are %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it('of tokens take in what a cache read and wrote', () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(tokensOf(none)).toBe(0);
    expect(
      tokensOf({ inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 }),
    ).toBe(4_321);
  });

  it('go with the word for one, or for many', () => {
    expect(plural(1, 'turn')).toBe('1 turn');
    expect(plural(0, 'turn')).toBe('0 turns');
    expect(plural(1_500, 'figure has', 'figures have')).toBe('1,500 figures have');
  });
});

describe('spend', () => {
  it('of which nothing is recorded is said in words, and is no zero', () => {
    expect(formatSpend({})).toBe('no usage recorded');
  });

  it('keeps each kind of figure apart, the most certain first', () => {
    const totals = spent(
      { provenance: 'estimated', microUsd: 20_000 },
      { provenance: 'reported', microUsd: 1_000_000 },
      { provenance: 'reported', microUsd: 500_000 },
    );
    expect(formatSpend(totals)).toBe('$1.50 reported + $0.02 estimated');
  });

  it.each([
    [{ provenance: 'rehearsal', microUsd: 0 }, 'rehearsal, nothing paid'],
    [{ provenance: 'unmetered', microUsd: null }, 'unmetered (470 tokens)'],
    [{ provenance: 'unsettled', microUsd: null }, 'unsettled, no final figure was given'],
    [{ provenance: 'estimated', microUsd: null }, '470 tokens without a price (estimated)'],
  ] as const)('of %o alone is “%s”', (entry, text) => {
    expect(formatSpend(spent(entry))).toBe(text);
  });

  it('says how many of its figures have no price, beside the sum of the others', () => {
    const totals = spent(
      { provenance: 'estimated', microUsd: 40_000 },
      { provenance: 'estimated', microUsd: null },
      { provenance: 'estimated', microUsd: null },
    );
    expect(formatSpend(totals)).toBe('$0.04 estimated, 2 without a price');
  });

  it('of a subscription is called notional: nobody is charged it', () => {
    expect(formatSpend(spent({ payer: 'subscription', microUsd: 70_000 }))).toBe('$0.07 notional');
  });
});
