import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideBackoffMs, LINK_BACKOFF } from '../../../runner/link/backoff.ts';

test('the pause is never longer than its bound, and never negative', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, chance) => {
        const delayMs = decideBackoffMs(failures, LINK_BACKOFF, chance);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThan(LINK_BACKOFF.capMs);
      },
    ),
  );
});

test('the bound doubles with each failure', () => {
  const bounds = [1, 2, 3, 4].map((failures) =>
    decideBackoffMs(failures, { baseMs: 100, capMs: 500 }, 0.999),
  );
  expect(bounds).toEqual([99, 199, 399, 499]);
});
