import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatDuration,
  formatMoney,
  formatSpend,
  formatTable,
  formatTokens,
  oneLine,
  plainText,
} from '../../../runner/cli/format.ts';
import { addUsage, type SpendTotals } from '../../../protocol/usage.ts';
import { aUsage } from '../../support/protocol-builders.ts';

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [1, '< $0.01'],
    [9_999, '< $0.01'],
    [10_000, '$0.01'],
    [214_999, '$0.21'],
    [215_000, '$0.22'],
    [5_000_000, '$5.00'],
    [1_234_567_890, '$1,234.57'],
  ])('of %i micro-USD is %s', (microUsd, text) => {
    expect(formatMoney(microUsd)).toBe(text);
  });

  it('never shows nothing for something', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), (microUsd) => {
        expect(formatMoney(microUsd)).not.toBe('$0.00');
      }),
    );
  });
});

describe('spend', () => {
  const spendOf = (...entries: Parameters<typeof aUsage>[0][]): SpendTotals =>
    entries.map((entry) => aUsage(entry)).reduce(addUsage, {});

  it('says its provenance', () => {
    expect(formatSpend(spendOf({ microUsd: 210_000 }))).toBe('$0.21 reported');
  });

  it('never adds up what has different provenance', () => {
    expect(
      formatSpend(spendOf({ microUsd: 210_000 }, { microUsd: 50_000, provenance: 'estimated' })),
    ).toBe('$0.21 reported + $0.05 estimated');
  });

  it('of a subscription is notional', () => {
    expect(formatSpend(spendOf({ microUsd: 210_000, payer: 'subscription' }))).toBe(
      '$0.21 notional',
    );
  });

  it('of a rehearsal is never money', () => {
    expect(formatSpend(spendOf({ microUsd: 210_000, provenance: 'rehearsal' }))).toBe(
      'rehearsal, nothing paid',
    );
  });

  it('without a record is no zero', () => {
    expect(formatSpend({})).toBe('no usage recorded');
  });

  it('without a price is tokens, and a part without a price is said', () => {
    expect(formatSpend(spendOf({ microUsd: null }))).toBe('470 tokens without a price (reported)');
    expect(formatSpend(spendOf({ microUsd: null }, { microUsd: 20_000 }))).toBe(
      '$0.02 reported, 1 without a price',
    );
  });

  it('of a turn that died is unsettled, and of an engine without figures unmetered', () => {
    expect(formatSpend(spendOf({ provenance: 'unsettled', microUsd: null }))).toMatch(/^unsettled/);
    expect(formatSpend(spendOf({ provenance: 'unmetered', microUsd: null }))).toBe(
      'unmetered (470 tokens)',
    );
  });
});

describe('figures', () => {
  it.each([
    [412, '412'],
    [1_000, '1 K'],
    [790_400, '790 K'],
    [999_600, '1.0 M'],
    [1_234_567, '1.2 M'],
  ])('%i tokens are %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it.each([
    [380, '0.4 s'],
    [3_200, '3.2 s'],
    [12_400, '12 s'],
    [59_700, '1m 0s'],
    [134_000, '2m 14s'],
    [3_780_000, '1h 3m'],
  ])('%i ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [30_000, 'now'],
    [300_000, '5m ago'],
    [7_200_000, '2h ago'],
    [259_200_000, '3d ago'],
  ])('%i ms before now is %s', (ms, text) => {
    expect(formatAgo(1e12 - ms, 1e12)).toBe(text);
  });
});

describe('text from outside', () => {
  it('loses what would steer the terminal and keeps its words', () => {
    expect(plainText('\u001b[31mred\u001b[0m \u001b]0;title\u0007end\u009b2J\r\b!')).toBe(
      'red end!',
    );
  });

  it('reads in the order that it is written in', () => {
    expect(plainText('a\u202egnp.exe\u2066b')).toBe('agnp.exeb');
  });

  it('keeps lines and tabs', () => {
    expect(plainText('a\n\tb')).toBe('a\n\tb');
  });

  it('never brings a control character to the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).not.toMatch(/(?![\t\n])\p{Cc}/u);
      }),
    );
  });

  it('fits on one line', () => {
    expect(oneLine('  git\n  push   origin ', 100)).toBe('git push origin');
    expect(oneLine('abcdef', 4)).toBe('abc…');
  });
});

describe('a table', () => {
  it('has columns as wide as their widest cell and no trailing space', () => {
    expect(
      formatTable(
        ['A', 'B'],
        [
          ['long', 'x'],
          ['s', ''],
        ],
      ),
    ).toBe('A     B\nlong  x\ns');
  });
});

describe('a table in a terminal that is too narrow', () => {
  const table = (columns: number) =>
    formatTable(
      ['SESSION', 'STATE', 'ACTS', 'TITLE'],
      [
        ['ses_1', 'finished', '3', 'Correct the average'],
        ['ses_2', 'idle', '0', ''],
      ],
      columns,
    );

  it('is a table as long as it fits', () => {
    const whole = table(Infinity);
    const width = Math.max(...whole.split('\n').map((line) => line.length));
    expect(table(width)).toBe(whole);
    expect(table(width - 1)).not.toBe(whole);
  });

  it('is a paragraph for each row, in which a bare number keeps its heading', () => {
    expect(table(30).split('\n')).toEqual([
      'ses_1  finished  acts 3',
      '  Correct the average',
      'ses_2  idle  acts 0',
    ]);
  });

  it('writes over the edge only what has no place to break, and cuts nothing', () => {
    for (const columns of [12, 20, 39]) {
      const text = table(columns);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      expect(text.split(/\s+/).join(' ')).toContain('finished acts 3 Correct the average');
    }
  });
});
