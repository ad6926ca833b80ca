import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PROVENANCES,
  addUsage,
  bucketOf,
  usageEntry,
  type SpendTotals,
} from '../../protocol/usage.ts';
import { aUsage } from '../support/protocol-builders.ts';

const entry = fc.record({
  provenance: fc.constantFrom(...PROVENANCES),
  payer: fc.constantFrom('api-key' as const, 'subscription' as const, 'unknown' as const),
  microUsd: fc.option(fc.nat(1_000_000)),
});

describe('spend', () => {
  it('never mixes provenances: each entry changes exactly its own bucket', () => {
    fc.assert(
      fc.property(fc.array(entry), (overs) => {
        let totals: SpendTotals = {};
        for (const over of overs) {
          const before = totals;
          totals = addUsage(totals, aUsage(over));
          const bucket = bucketOf(aUsage(over));
          const { [bucket]: _changed, ...others } = totals;
          const { [bucket]: _was, ...othersBefore } = before;
          expect(others).toEqual(othersBefore);
        }
      }),
    );
  });

  it('counts subscription dollars as notional, not as money spent', () => {
    expect(bucketOf({ provenance: 'reported', payer: 'subscription' })).toBe('notional');
    expect(bucketOf({ provenance: 'reported', payer: 'api-key' })).toBe('reported');
  });

  it('keeps a rehearsal a rehearsal whoever would have paid', () => {
    expect(bucketOf({ provenance: 'rehearsal', payer: 'subscription' })).toBe('rehearsal');
  });

  it('counts an unknown price as unknown, not as zero', () => {
    const totals = addUsage({}, aUsage({ microUsd: null }));
    expect(totals.reported).toMatchObject({ microUsd: 0, entries: 1, unpriced: 1 });
  });

  it('has no bucket for what was never seen', () => {
    expect(addUsage({}, aUsage()).estimated).toBeUndefined();
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d as an amount',
    (microUsd) => {
      expect(usageEntry.safeParse({ ...aUsage(), microUsd }).success).toBe(false);
    },
  );
});
