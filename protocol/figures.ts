import { type FigureForm, PLAIN_FORM } from './figure-form.ts';
import { SPEND_BUCKETS, type BucketTotal, type SpendTotals } from './usage.ts';

const CENT_MICRO_USD = 10_000;

/** Money to the cent. A part of a cent is `< $0.01`, and only nothing is `$0.00`. */
export function formatMoney(microUsd: number, form = PLAIN_FORM): string {
  if (microUsd > 0 && microUsd < CENT_MICRO_USD) return `< ${form.dollars(0.01, 2)}`;
  return form.dollars(Math.round(microUsd / CENT_MICRO_USD) / 100, 2);
}

/** A count of tokens, short: `412`, `790 K`, `1.2 M`. */
export function formatTokens(tokens: number, form = PLAIN_FORM): string {
  if (tokens < 1_000) return form.count(tokens);
  if (tokens < 999_500) return `${form.count(Math.round(tokens / 1_000))} K`;
  return `${form.decimal(tokens / 1_000_000, tokens < 1_000_000_000 ? 1 : 0)} M`;
}

/** `1 turn`, `2 turns`. */
export function plural(
  count: number,
  one: string,
  many = `${one}s`,
  form: FigureForm = PLAIN_FORM,
): string {
  return `${form.count(count)} ${count === 1 ? one : many}`;
}

/** A span of time as a person says it: `0.4 s`, `12 s`, `2m 14s`, `1h 3m`. */
export function formatDuration(ms: number, { count, decimal } = PLAIN_FORM): string {
  if (ms < 9_950) return `${decimal(ms / 1_000, 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${count(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${count(minutes)}m ${count(seconds % 60)}s`
    : `${count(Math.floor(minutes / 60))}h ${count(minutes % 60)}m`;
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
      return tokensOf(total) > 0 ? `unmetered (${tokens})` : 'unmetered';
    case 'unsettled':
      return 'unsettled, no final figure was given';
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
