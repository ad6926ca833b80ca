import { SPEND_BUCKETS, type BucketTotal, type SpendTotals } from './usage.ts';

const CENT_MICRO_USD = 10_000;

/** Money to the cent. A part of a cent is `< $0.01`, and only nothing is `$0.00`. */
export function formatMoney(microUsd: number): string {
  if (microUsd > 0 && microUsd < CENT_MICRO_USD) return '< $0.01';
  const cents = Math.round(microUsd / CENT_MICRO_USD);
  const dollars = Math.trunc(cents / 100).toLocaleString('en-US');
  return `$${dollars}.${String(cents % 100).padStart(2, '0')}`;
}

/** A count of tokens, short: `412`, `790 K`, `1.2 M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)} K`;
  return `${(tokens / 1_000_000).toFixed(1)} M`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** A span of time as a person says it: `0.4 s`, `12 s`, `2m 14s`, `1h 3m`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m ${seconds % 60}s`
    : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/**
 * Spend with its provenance, one figure per bucket and never a sum of them. Nothing recorded is
 * said in words: absence is not zero.
 */
export function formatSpend(totals: SpendTotals): string {
  const parts = SPEND_BUCKETS.flatMap((bucket) => {
    const total = totals[bucket];
    return total ? [formatBucket(bucket, total)] : [];
  });
  return parts.length > 0 ? parts.join(' + ') : 'no usage recorded';
}

function formatBucket(bucket: (typeof SPEND_BUCKETS)[number], total: BucketTotal): string {
  const tokens = `${formatTokens(tokensOf(total))} tokens`;
  switch (bucket) {
    case 'rehearsal':
      return 'rehearsal, nothing paid';
    case 'unmetered':
      return `unmetered (${tokens})`;
    case 'unsettled':
      return 'unsettled, the turn died before its figure';
    case 'reported':
    case 'estimated':
    case 'notional': {
      if (total.unpriced === total.entries) return `${tokens} without a price (${bucket})`;
      const short = total.unpriced > 0 ? `, ${total.unpriced} without a price` : '';
      return `${formatMoney(total.microUsd)} ${bucket}${short}`;
    }
    default:
      return bucket satisfies never;
  }
}

type Tokens = Pick<
  BucketTotal,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
>;

/** All tokens of a total, read from a cache or not. */
export function tokensOf(total: Tokens): number {
  return total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheWriteTokens;
}
