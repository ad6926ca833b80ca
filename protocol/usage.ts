import { z } from 'zod';

/**
 * Where a figure comes from. `unmetered`: cannot be known. `unsettled`: what ran ended
 * before the engine gave its final figure. `rehearsal`: nobody was charged and nothing was asked of a model.
 */
export const PROVENANCES = [
  'reported',
  'estimated',
  'unmetered',
  'unsettled',
  'rehearsal',
] as const;
export const provenance = z.enum(PROVENANCES);
export type Provenance = z.infer<typeof provenance>;

/** Who is charged. Subscription dollars are list prices: notional, never money spent. */
export const payer = z.enum(['api-key', 'subscription', 'unknown']);
export type Payer = z.infer<typeof payer>;

const tokens = z.int().nonnegative();

/** One model's usage in one turn: a difference against a known baseline, in integers. */
export const usageEntry = z.object({
  model: z.string().min(1),
  provenance,
  payer,
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  /** Millionths of a US dollar; null when no price is known, which is not zero. */
  microUsd: z.int().nonnegative().nullable(),
});
export type UsageEntry = z.infer<typeof usageEntry>;

/** What the ledger names as engine where the Pilot's brain asked a model: no engine has this id. */
export const BRAIN_SOURCE = 'brain';

/** The same for the agent of an operator. */
export const OPERATOR_SOURCE = 'operator';

/** How a figure is shown and summed: its provenance, or `notional` when a subscription pays. */
export const SPEND_BUCKETS = [...PROVENANCES, 'notional'] as const;
export const spendBucket = z.enum(SPEND_BUCKETS);
export type SpendBucket = z.infer<typeof spendBucket>;

/** The bucket of one entry. Rehearsal stays rehearsal whoever would have paid. */
export function bucketOf(entry: Pick<UsageEntry, 'provenance' | 'payer'>): SpendBucket {
  if (entry.provenance === 'reported' && entry.payer === 'subscription') return 'notional';
  if (entry.provenance === 'estimated' && entry.payer === 'subscription') return 'notional';
  return entry.provenance;
}

const bucketTotal = z.object({
  microUsd: z.int().nonnegative(),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  /** How many entries are summed here, priced or not. */
  entries: z.int().nonnegative(),
  /** How many of them have no price: the sum is at least this many figures short. */
  unpriced: z.int().nonnegative(),
});
export type BucketTotal = z.infer<typeof bucketTotal>;

/** Sums kept apart by bucket. A bucket without entries is absent: absence is not zero. */
export const spendTotals = z.partialRecord(spendBucket, bucketTotal);
export type SpendTotals = z.infer<typeof spendTotals>;

const EMPTY_TOTAL: BucketTotal = {
  microUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  entries: 0,
  unpriced: 0,
};

/** Adds one entry to its own bucket and to no other. Returns new totals. */
export function addUsage(totals: SpendTotals, entry: UsageEntry): SpendTotals {
  const bucket = bucketOf(entry);
  const sum = totals[bucket] ?? EMPTY_TOTAL;
  return {
    ...totals,
    [bucket]: {
      microUsd: sum.microUsd + (entry.microUsd ?? 0),
      inputTokens: sum.inputTokens + entry.inputTokens,
      outputTokens: sum.outputTokens + entry.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + entry.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + entry.cacheWriteTokens,
      entries: sum.entries + 1,
      unpriced: sum.unpriced + (entry.microUsd === null ? 1 : 0),
    },
  };
}
