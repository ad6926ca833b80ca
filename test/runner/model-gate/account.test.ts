import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCall, LEAST_OUTPUT_TOKENS } from '../../../runner/model-gate/account.ts';

const MODEL = 'claude-sonnet-4-5';
/** 2,000 bytes are taken for 1,000 tokens, written to the cache at 3.75; the output is 15 a token. */
const call = {
  model: MODEL,
  bytes: 2_000,
  maxOutputTokens: 10_000,
  leastOutputTokens: 0,
  usualOutputTokens: 128_000,
};
const MOST = 3_750 + 150_000;
const standing = { grantMicroUsd: 1_000_000, spentMicroUsd: 0, reservedMicroUsd: 0 };

describe('a call at the model gate', () => {
  it('goes as it is where nothing limits it, whatever it may cost', () => {
    const decision = decideCall({ ...standing, grantMicroUsd: null }, call);
    expect(decision).toEqual({ kind: 'go', reserveMicroUsd: MOST, maxOutputTokens: null });
    const unpriced = decideCall(
      { ...standing, grantMicroUsd: null },
      { ...call, model: 'nobody-knows' },
    );
    expect(unpriced).toEqual({ kind: 'go', reserveMicroUsd: 0, maxOutputTokens: null });
  });

  it('goes as it is, to the last micro-dollar, when the most that it can come to is there', () => {
    expect(decideCall({ ...standing, grantMicroUsd: MOST }, call)).toEqual({
      kind: 'go',
      reserveMicroUsd: MOST,
      maxOutputTokens: null,
    });
  });

  it('is told the end that was counted on where it sets none itself', () => {
    const decision = decideCall(
      { ...standing, grantMicroUsd: 10_000_000 },
      { ...call, maxOutputTokens: null },
    );
    expect(decision).toMatchObject({ kind: 'go', maxOutputTokens: 128_000 });
  });

  it('is given a shorter answer when that still fits', () => {
    const decision = decideCall({ ...standing, grantMicroUsd: MOST - 1 }, call);
    expect(decision).toEqual({
      kind: 'go',
      reserveMicroUsd: MOST - 1,
      maxOutputTokens: 9_999,
    });
  });

  it('is refused when what is left would be no answer, or nothing is left', () => {
    const least = 3_750 + LEAST_OUTPUT_TOKENS * 15;
    expect(decideCall({ ...standing, grantMicroUsd: least }, call).kind).toBe('go');
    expect(decideCall({ ...standing, grantMicroUsd: least - 1 }, call)).toEqual({
      kind: 'refuse',
      why: 'too_large',
    });
    expect(decideCall({ ...standing, spentMicroUsd: 1_000_000 }, call)).toEqual({
      kind: 'refuse',
      why: 'spent',
    });
  });

  it('is not cut below the thoughts that it is to have', () => {
    const thinking = { ...call, leastOutputTokens: 5_000 };
    expect(decideCall({ ...standing, grantMicroUsd: 3_750 + 75_000 }, thinking).kind).toBe('go');
    expect(decideCall({ ...standing, grantMicroUsd: 3_750 + 74_999 }, thinking).kind).toBe(
      'refuse',
    );
  });

  it('waits for what others hold, and is not refused for it', () => {
    const others = { ...standing, grantMicroUsd: MOST, reservedMicroUsd: 1 };
    expect(decideCall(others, call)).toEqual({ kind: 'wait' });
    // Nothing that others hold could make room for it.
    expect(decideCall({ ...others, spentMicroUsd: MOST }, call).kind).toBe('refuse');
  });

  it('is refused with a budget where no price is known', () => {
    expect(decideCall(standing, { ...call, model: 'nobody-knows' })).toEqual({
      kind: 'refuse',
      why: 'unpriced',
    });
  });

  it('never holds more than is left, whatever is asked', () => {
    const amount = fc.integer({ min: 0, max: 3_000_000 });
    fc.assert(
      fc.property(
        fc.record({ grantMicroUsd: amount, spentMicroUsd: amount, reservedMicroUsd: amount }),
        fc.integer({ min: 0, max: 400_000 }),
        fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: null }),
        (given, bytes, maxOutputTokens) => {
          const decision = decideCall(given, { ...call, bytes, maxOutputTokens });
          if (decision.kind !== 'go') return;
          const left = given.grantMicroUsd - given.spentMicroUsd - given.reservedMicroUsd;
          expect(decision.reserveMicroUsd).toBeLessThanOrEqual(left);
          const tokens = decision.maxOutputTokens ?? maxOutputTokens ?? Infinity;
          const most = Math.ceil(bytes / 2) * 3.75 + tokens * 15;
          expect(most).toBeLessThanOrEqual(decision.reserveMicroUsd + 4);
        },
      ),
    );
  });
});
