// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, formatMoneyExact, parseMoney } from '../../../console/format/money.ts';

describe('an amount', () => {
  it.each([
    [0, '$0.00'],
    [1, '< $0.01'],
    [9_999, '< $0.01'],
    [10_000, '$0.01'],
    [213_000, '$0.21'],
    [999_999, '$1.00'],
    [1_234_567_890, '$1,234.57'],
  ])('of %i micro-dollars reads %s', (micro, text) => {
    expect(formatMoney(micro)).toBe(text);
  });

  it('is never shown as nothing when it is something', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (micro) => {
        expect(formatMoney(micro)).not.toBe('$0.00');
      }),
    );
  });

  it('keeps every digit when asked for all of them', () => {
    expect(formatMoneyExact(18_400)).toBe('$0.018400');
    expect(formatMoneyExact(1_000_000_001)).toBe('$1,000.000001');
  });
});

describe('dollars as typed', () => {
  it.each([
    ['5', 5_000_000],
    ['$2.50', 2_500_000],
    [' 0.1 ', 100_000],
    ['0.000001', 1],
  ])('%j are %i micro-dollars', (text, micro) => {
    expect(parseMoney(text)).toBe(micro);
  });

  it.each(['', '0', '-1', '1,5', 'five', '1e3', '0.0000001', '.5.'])('%j are refused', (text) => {
    expect(parseMoney(text)).toBeNull();
  });

  it('come back as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (micro) => {
        expect(parseMoney(formatMoneyExact(micro).replaceAll(',', ''))).toBe(micro);
      }),
    );
  });
});
