// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { addUsage, SPEND_BUCKETS, type SpendTotals } from '../../../protocol/usage.ts';
import {
  isOnlyRehearsal,
  listBuckets,
  tokensTold,
  wordOfBucket,
} from '../../../console/format/spend.ts';
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

  it('without a token that was told are not zero tokens, where a figure is missing', () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(tokensTold('unmetered', none)).toBeNull();
    expect(tokensTold('unsettled', none)).toBeNull();
    expect(tokensTold('reported', none)).toBe(0);
    expect(tokensTold('unsettled', { ...none, outputTokens: 3, cacheReadTokens: 4 })).toBe(7);
  });

  it('are a rehearsal only when nothing else is there', () => {
    const rehearsal = addUsage(EMPTY, aUsage({ provenance: 'rehearsal' }));
    expect(isOnlyRehearsal(rehearsal)).toBe(true);
    expect(isOnlyRehearsal(addUsage(rehearsal, aUsage()))).toBe(false);
    expect(isOnlyRehearsal({})).toBe(false);
  });
});
