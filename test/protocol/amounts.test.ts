import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  groupingProblem,
  limitsOf,
  parseTokens,
  parseTurns,
  parseWorkMinutes,
  readDecimal,
  readEitherMark,
  writeDecimal,
} from '../../protocol/amounts.ts';
import { launchSpec, sessionLimits } from '../../protocol/launch.ts';

describe('amounts as a person types them', () => {
  it('are tokens with or without a scale', () => {
    const typed = ['500000', '500k', '2.5M', ' 2 m ', '0.5k'];
    expect(typed.map((each) => parseTokens(each))).toEqual([
      500_000, 500_000, 2_500_000, 2_000_000, 500,
    ]);
  });

  it('are turns and minutes', () => {
    expect(['1', ' 30 ', '999999'].map(parseTurns)).toEqual([1, 30, 999_999]);
    expect(['90', '0.5', '1.25'].map((each) => parseWorkMinutes(each))).toEqual([
      5_400_000, 30_000, 75_000,
    ]);
  });

  it('are nothing else', () => {
    for (const typed of ['', '0', '-1', '1e6', '2G', 'k', '1,000', '0.0000001', '9999999999999'])
      expect([typed, parseTokens(typed)]).toEqual([typed, null]);
    for (const typed of ['', '0', '-1', '1.5', '1e3', 'ten'])
      expect([typed, parseTurns(typed)]).toEqual([typed, null]);
    for (const typed of ['', '0', '0.001', '-1', '1h']) expect(parseWorkMinutes(typed)).toBeNull();
  });

  it('are read by the mark of who types them, and by a point where it can be nothing else', () => {
    expect(['2,5M', '2.5M', '500k'].map((each) => parseTokens(each, ','))).toEqual([
      2_500_000, 2_500_000, 500_000,
    ]);
    expect(['1,5', '1.5', '0.125'].map((each) => parseWorkMinutes(each, ','))).toEqual([
      90_000, 90_000, 7_500,
    ]);
    expect(readDecimal('2,5')).toBeNull();
    expect(['0,5', '0.5', '1.500', '1,500'].map((each) => readEitherMark(each))).toEqual([
      '0.5',
      '0.5',
      '1.500',
      null,
    ]);
    expect(['0,5', '0.5', '1.500'].map((each) => readEitherMark(each, ','))).toEqual([
      '0.5',
      '0.5',
      null,
    ]);
  });

  it('are refused where a mark may part thousands, with what to type', () => {
    for (const typed of ['500.000', '1.500k', '1.000.000', '1.234,5M'])
      expect([typed, parseTokens(typed, ',')]).toEqual([typed, null]);
    expect(parseTokens('500.000')).toBeNull();
    expect(parseTokens('1,500k')).toBeNull();
    expect([parseWorkMinutes('1.500', ','), parseWorkMinutes('1,500')]).toEqual([null, null]);
    expect(groupingProblem('1.500', ',')).toContain('Give 1500 without a mark');
    expect(groupingProblem('$1.500', ',')).toContain('as in 2,5');
    expect(groupingProblem('1,500k')).toContain('Give 1500');
    for (const typed of ['1.500', '1.5', '0,500', 'x'])
      expect([typed, groupingProblem(typed)]).toEqual([typed, null]);
  });

  it('come back as a form has them, whatever the mark', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.constantFrom('.', ','), (ms, mark) => {
        const read = readDecimal(writeDecimal(ms / 1_000, mark), mark);
        expect([null, String(ms / 1_000)]).toContain(read);
        if (mark === ',') expect(read).not.toBeNull();
      }),
    );
  });

  it('never throw, and what they read is a whole number above zero', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (typed) => {
        for (const read of [parseTokens, parseTurns, parseWorkMinutes]) {
          const amount = read(typed) ?? 1;
          expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
        }
      }),
    );
  });
});

describe('the limits of a session beside dollars', () => {
  it('are none where nobody names one, and null where one is not named', () => {
    expect(limitsOf({})).toBeNull();
    expect(limitsOf({ tokens: null, turns: undefined })).toBeNull();
    expect(limitsOf({ turns: 3 })).toEqual({ tokens: null, turns: 3, timeMs: null });
  });

  it('are above zero, and of a launch that knew of none null', () => {
    expect(sessionLimits.parse({})).toEqual({ tokens: null, turns: null, timeMs: null });
    expect(sessionLimits.safeParse({ turns: 0 }).success).toBe(false);
    expect(sessionLimits.safeParse({ timeMs: 10 }).success).toBe(false);
    const launch = { engineId: 'rehearsal', directory: null, objective: 'Go' };
    expect(launchSpec.parse(launch).limits).toBeUndefined();
  });
});
