import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  limitsOf,
  limitsOver,
  parseTokens,
  parseTurns,
  parseWorkMinutes,
} from '../../protocol/amounts.ts';
import { launchSpec, sessionLimits } from '../../protocol/launch.ts';

describe('amounts as a person types them', () => {
  it('are tokens with or without a scale', () => {
    const typed = ['500000', '500k', '2.5M', ' 2 m ', '0.5k'];
    expect(typed.map(parseTokens)).toEqual([500_000, 500_000, 2_500_000, 2_000_000, 500]);
  });

  it('are turns and minutes', () => {
    expect(['1', ' 30 ', '999999'].map(parseTurns)).toEqual([1, 30, 999_999]);
    expect(['90', '0.5', '1.25'].map(parseWorkMinutes)).toEqual([5_400_000, 30_000, 75_000]);
  });

  it('are nothing else', () => {
    for (const typed of ['', '0', '-1', '1e6', '2G', 'k', '1,000', '0.0000001', '9999999999999'])
      expect([typed, parseTokens(typed)]).toEqual([typed, null]);
    for (const typed of ['', '0', '-1', '1.5', '1e3', 'ten'])
      expect([typed, parseTurns(typed)]).toEqual([typed, null]);
    for (const typed of ['', '0', '0.001', '-1', '1h']) expect(parseWorkMinutes(typed)).toBeNull();
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

  it('stay as they were where others are said over them', () => {
    const before = { tokens: 9_000, turns: 3, timeMs: 60_000 };
    expect(limitsOver(before, { turns: 5 })).toEqual({ ...before, turns: 5 });
    expect(limitsOver(before, {})).toEqual(before);
    expect(limitsOver(null, { turns: 5 })).toEqual({ tokens: null, turns: 5, timeMs: null });
    expect(limitsOver(null, {})).toBeNull();
  });

  it('are above zero, and of a launch that knew of none null', () => {
    expect(sessionLimits.parse({})).toEqual({ tokens: null, turns: null, timeMs: null });
    expect(sessionLimits.safeParse({ turns: 0 }).success).toBe(false);
    expect(sessionLimits.safeParse({ timeMs: 10 }).success).toBe(false);
    const launch = { engineId: 'rehearsal', directory: null, objective: 'Go' };
    expect(launchSpec.parse(launch).limits).toBeUndefined();
  });
});
