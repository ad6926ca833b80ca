import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, SPEND_BUCKETS, type UsageEntry } from '../../../protocol/usage.ts';
import {
  formatAgo,
  formatDuration,
  formatMoney,
  formatSpend,
  formatTable,
  formatTokens,
  oneLine,
  plainText,
  tokensOf,
} from '../../../runner/cli/format.ts';
import { aUsage } from '../../support/protocol-builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('an amount of money', () => {
  it.each([
    [14_999, '$0.01'],
    [15_000, '$0.02'],
    [994_999, '$0.99'],
    [995_000, '$1.00'],
    [999_999_999, '$1,000.00'],
    [1_000_000_000_000, '$1,000,000.00'],
  ])('of %i micro-USD at an edge is %s', (microUsd, text) => {
    expect(formatMoney(microUsd)).toBe(text);
  });

  it('is never off by more than half a cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 1e13 }), (microUsd) => {
        const shown = Number(formatMoney(microUsd).replaceAll(/[$,]/g, ''));
        expect(Math.abs(shown * 1e6 - microUsd)).toBeLessThanOrEqual(5_001);
      }),
    );
  });

  it('has two digits after the point and a comma at each thousand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 1e13 }), (microUsd) => {
        expect(formatMoney(microUsd)).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/);
      }),
    );
  });
});

describe('a span of time', () => {
  it.each([
    [0, '0.0 s'],
    [49, '0.0 s'],
    [50, '0.1 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1m 0s'],
    [MINUTE, '1m 0s'],
    [59 * MINUTE + 59 * SECOND, '59m 59s'],
    [59 * MINUTE + 59_500, '1h 0m'],
    [HOUR, '1h 0m'],
    [25 * HOUR + 30 * MINUTE, '25h 30m'],
  ])('of %i ms at an edge is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  /** What a reader makes of the text, in ms. */
  const read = (text: string) =>
    [...text.matchAll(/([\d.]+)\s?([hms])/g)].reduce(
      (sum, [, count, unit]) =>
        sum + Number(count) * (unit === 'h' ? HOUR : unit === 'm' ? MINUTE : SECOND),
      0,
    );

  it('is what it says, to the unit that is shown last', () => {
    fc.assert(
      fc.property(fc.nat(100 * HOUR), (ms) => {
        const unit = ms >= HOUR ? MINUTE : SECOND;
        expect(Math.abs(read(formatDuration(ms)) - ms)).toBeLessThanOrEqual(unit);
      }),
    );
  });

  it('never says sixty of anything', () => {
    fc.assert(
      fc.property(fc.nat(100 * HOUR), (ms) => {
        expect(formatDuration(ms)).not.toMatch(/\b60[ms]| 60 s/);
      }),
    );
  });
});

describe('how long ago', () => {
  const NOW = 1e12;
  it.each([
    [0, 'now'],
    [MINUTE - 1, 'now'],
    [MINUTE, '1m ago'],
    [HOUR - 1, '59m ago'],
    [HOUR, '1h ago'],
    [2 * DAY - 1, '47h ago'],
    [2 * DAY, '2d ago'],
    [400 * DAY, '400d ago'],
  ])('is, %i ms before, %s', (ms, text) => {
    expect(formatAgo(NOW - ms, NOW)).toBe(text);
  });

  it('is now for a clock that is a little ahead, and never negative', () => {
    fc.assert(
      fc.property(fc.nat(DAY), (ahead) => {
        expect(formatAgo(NOW + ahead, NOW)).toBe('now');
      }),
    );
  });
});

describe('a count of tokens', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_499, '1 K'],
    [1_500, '2 K'],
    [999_499, '999 K'],
    [999_500, '1.0 M'],
    [12_345_678, '12.3 M'],
  ])('of %i is %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it('is never longer than a column can hold', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), (tokens) => {
        expect(formatTokens(tokens).length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('of a bucket has those that were read from a cache or written to it', () => {
    const { reported } = addUsage({}, aUsage());
    expect(reported && tokensOf(reported)).toBe(100 + 50 + 300 + 20);
  });
});

describe('spend of any mixture', () => {
  const entry: fc.Arbitrary<UsageEntry> = fc
    .record({
      provenance: fc.constantFrom(
        'reported' as const,
        'estimated' as const,
        'unmetered' as const,
        'unsettled' as const,
        'rehearsal' as const,
      ),
      payer: fc.constantFrom('api-key' as const, 'subscription' as const, 'unknown' as const),
      microUsd: fc.option(fc.nat(1e9)),
    })
    .map(aUsage);

  it('is one figure per bucket that has entries, in the order of the table', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
        const totals = entries.reduce(addUsage, {});
        const parts = formatSpend(totals).split(' + ');
        const buckets = SPEND_BUCKETS.filter((bucket) => totals[bucket]);
        expect(parts).toHaveLength(buckets.length);
        for (const [index, bucket] of buckets.entries()) expect(parts[index]).toContain(bucket);
      }),
    );
  });

  it('shows no money for what nobody paid or nobody knows', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
        const priceless = entries.filter((one) =>
          ['unmetered', 'unsettled', 'rehearsal'].includes(one.provenance),
        );
        expect(formatSpend(priceless.reduce(addUsage, {}))).not.toContain('$');
      }),
    );
  });
});

describe('text on one line', () => {
  it('is never longer than it may be, and has no line break in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const line = oneLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\n\r\t]/);
      }),
    );
  });

  it('is shown as it is when it fits, and says so when it was cut', () => {
    expect(oneLine('abcd', 4)).toBe('abcd');
    expect(oneLine('abcde', 4)).toBe('abc…');
  });
});

describe('text from outside', () => {
  it.each([
    ['\u001b[2J\u001b[H', ''],
    ['a\u001b]8;;http://evil\u0007link\u001b]8;;\u0007b', 'alinkb'],
    ['\rover', 'over'],
    ['x\u0008\u0008y', 'xy'],
    ['\u009b31mred', 'red'],
    ['é\u{1f600}\t\n', 'é\u{1f600}\t\n'],
  ])('%j becomes %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('is the same when it is made plain again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(plainText(text))).toBe(plainText(text));
      }),
    );
  });
});

describe('a table of any cells', () => {
  const cell = fc.stringMatching(/^[a-z]{0,8}$/);

  it('has a line for each row, and each column begins at one place', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 }), (rows) => {
        const headings = ['ONE', 'TWO', 'THREE'];
        const lines = formatTable(headings, rows).split('\n');
        expect(lines).toHaveLength(rows.length + 1);
        const second = lines[0]?.indexOf('TWO') ?? 0;
        for (const [index, row] of rows.entries()) {
          const line = lines[index + 1] ?? '';
          expect(line.slice(0, second).trimEnd()).toBe(row[0]);
          expect(line.slice(second)).toMatch(new RegExp(`^${row[1]}`));
          expect(line).toBe(line.trimEnd());
        }
      }),
    );
  });
});
