// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetryDelay, RETRY_MAX_MS } from '../../../console/lib/backoff.ts';

describe('the pause before connecting again', () => {
  it('begins short and doubles', () => {
    expect([0, 1, 2].map((attempt) => decideRetryDelay(attempt, 0))).toEqual([400, 800, 1_600]);
  });

  it('is never longer than its bound and never nothing', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const delay = decideRetryDelay(attempt, random);
        expect(delay).toBeGreaterThanOrEqual(200);
        expect(delay).toBeLessThanOrEqual(RETRY_MAX_MS);
      }),
    );
  });
});
