import type { UsageEntry } from '../../protocol/usage.ts';

export type Tokens = Pick<
  UsageEntry,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
>;

/** Micro-USD per token, which is the same number as dollars per million tokens. */
type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

/**
 * List prices.
 * Source: the figures that claude 2.1.332 and 2.1.197 report themselves (`modelUsage.costUSD` of
 * known token counts, and the model list of `initialize`), as of 2026-11-29. Used only
 * for turns that died before the engine gave its own figure, and labelled as estimates. A call of
 * claude-haiku-5-5 with a prompt over 100,000 tokens costs five times this; one turn's sum cannot
 * tell how its calls were divided, so the lower figure stands.
 */
const PRICES: readonly (readonly [prefix: string, price: Price])[] = [
  ['claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['claude-opus-4', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-fable-5-2', { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 }],
  ['claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
  ['claude-sonnet-5', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-sonnet-4', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-haiku-5-5', { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }],
  ['claude-haiku-4-5', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
];

/** Estimates a cost in integer micro-USD; null when the model has no known price, which is not zero. */
export function estimateMicroUsd(model: string, tokens: Tokens): number | null {
  const price = PRICES.find(([prefix]) => model.startsWith(prefix))?.[1];
  if (!price) return null;
  return Math.round(
    tokens.inputTokens * price.input +
      tokens.outputTokens * price.output +
      tokens.cacheReadTokens * price.cacheRead +
      tokens.cacheWriteTokens * price.cacheWrite,
  );
}
