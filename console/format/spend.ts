import type { Payer, SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import { SPEND_BUCKETS } from '../../protocol/usage.ts';

/** How one kind of figure is named, marked, explained and coloured. */
export type BucketWord = { word: string; glyph: string; why: string; className: string };

/** Each kind of figure has one word, one glyph and one colour, on every page. */
const BUCKETS = {
  reported: {
    word: 'reported',
    glyph: '●',
    className: 'text-ink',
    why: 'The engine itself reported this for its work, charged to an API key.',
  },
  estimated: {
    word: 'estimated',
    glyph: '≈',
    className: 'text-accent',
    why: 'The engine reported tokens and no price; a dated price table gives the dollars.',
  },
  notional: {
    word: 'notional',
    glyph: '◇',
    className: 'text-accent',
    why: 'List prices of work that a subscription pays for. No such money was spent.',
  },
  unsettled: {
    word: 'unsettled',
    glyph: '◐',
    className: 'text-soft',
    why: 'A turn, or a takeover, ended before the engine gave its final figure; this is what was seen until then.',
  },
  unmetered: {
    word: 'unmetered',
    glyph: '○',
    className: 'text-faint',
    why: 'What this cost cannot be known. It is not zero.',
  },
  rehearsal: {
    word: 'rehearsal',
    glyph: '▹',
    className: 'text-faint',
    why: 'A rehearsal: nothing was asked of a model and nobody was charged. In no spend sum.',
  },
} as const satisfies Record<SpendBucket, BucketWord>;

/** The one form in which a kind of figure is shown. */
export const wordOfBucket = (bucket: SpendBucket): BucketWord => BUCKETS[bucket];

const PAYERS = {
  'api-key': 'API key',
  subscription: 'subscription',
  unknown: 'payer not known',
} as const satisfies Record<Payer, string>;

/** Who is charged, in one word on every page. */
export const wordOfPayer = (payer: Payer): string => PAYERS[payer];

const ORDER: readonly SpendBucket[] = [
  'reported',
  'estimated',
  'notional',
  'unsettled',
  'unmetered',
  'rehearsal',
];

/** The buckets that hold something, the most certain first. */
export function listBuckets(totals: SpendTotals): SpendBucket[] {
  return ORDER.filter((bucket) => totals[bucket] !== undefined);
}

type Tokens = Record<
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens',
  number
>;

/** Whether a kind of figure stands for one that was not told. */
export const isUntold = (bucket: SpendBucket): boolean =>
  bucket === 'unmetered' || bucket === 'unsettled';

/** All tokens of one kind of figure. Null where nobody told any, which is not zero. */
export function tokensTold(bucket: SpendBucket, tokens: Tokens): number | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = tokens;
  const sum = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  return sum === 0 && isUntold(bucket) ? null : sum;
}

/** Money that was really spent, as far as it is known; null when there is none of that kind. */
export function isOnlyRehearsal(totals: SpendTotals): boolean {
  const held = SPEND_BUCKETS.filter((bucket) => totals[bucket] !== undefined);
  return held.length > 0 && held.every((bucket) => bucket === 'rehearsal');
}
