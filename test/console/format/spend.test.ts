// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { addUsage, SPEND_BUCKETS, type SpendTotals } from '../../../protocol/usage.ts';
import { isOnlyRehearsal, listBuckets, wordOfBucket } from '../../../console/format/spend.ts';
import { aUsage } from '../../support/protocol-builders.ts';

const EMPTY: SpendTotals = {};

describe('kinds of figures', () => {
  it('each have a word, a glyph and a reason of their own', () => {
    const words = SPEND_BUCKETS.map(wordOfBucket);
    for (const field of ['word', 'glyph', 'why'] as const) {
      expect(new Set(words.map((word) => word[field])).size).toBe(SPEND_BUCKETS.length);
    }
  });

  it('are listed with the most certain first, and only those that hold something', () => {
    const totals = [
      aUsage({ provenance: 'rehearsal' }),
      aUsage({ provenance: 'estimated' }),
      aUsage(),
    ].reduce(addUsage, EMPTY);
    expect(listBuckets(totals)).toEqual(['reported', 'estimated', 'rehearsal']);
    expect(listBuckets({})).toEqual([]);
  });

  it('are a rehearsal only when nothing else is there', () => {
    const rehearsal = addUsage(EMPTY, aUsage({ provenance: 'rehearsal' }));
    expect(isOnlyRehearsal(rehearsal)).toBe(true);
    expect(isOnlyRehearsal(addUsage(rehearsal, aUsage()))).toBe(false);
    expect(isOnlyRehearsal({})).toBe(false);
  });
});
