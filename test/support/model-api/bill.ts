import { sumOf, type Tokens } from './tokens.ts';
import type { Served } from './server.ts';

type Price = {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** All four are multiplied by `factor` when a call's prompt, cache included, is over `tokens`. */
  longPrompt?: { tokens: number; factor: number };
};

/**
 * List prices in micro-dollars per token, found by serving tokens of each kind to claude 2.1.332
 * and reading the `costUSD` that it printed; a test holds them to it. An oracle of the tests: it
 * shares nothing with the product's own table. Cache reads follow no fixed share of the input.
 */
const PRICES: Record<string, Price> = {
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  'claude-fable-5-2': { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    longPrompt: { tokens: 100_000, factor: 5 },
  },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

/** What was served, by kind. */
export const tokensOf = (served: readonly Served[]): Tokens => ({
  inputTokens: sumOf(served, ({ usage }) => usage.input_tokens),
  outputTokens: sumOf(served, ({ usage }) => usage.output_tokens),
  cacheReadTokens: sumOf(served, ({ usage }) => usage.cache_read_input_tokens),
  cacheWriteTokens: sumOf(served, ({ usage }) => usage.cache_creation_input_tokens),
});

export const PRICED_MODELS = Object.keys(PRICES);

/** What was served, in whole micro-dollars, as a bill would say. Throws for an unknown model. */
export function billOf(served: readonly Served[]): number {
  let microUsd = 0;
  for (const { model, usage } of served) {
    const price = PRICES[model];
    if (!price) throw new Error(`no price is known for ${model}`);
    const { longPrompt } = price;
    const prompt =
      usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
    const factor = longPrompt && prompt > longPrompt.tokens ? longPrompt.factor : 1;
    microUsd +=
      factor *
      (usage.input_tokens * price.input +
        usage.output_tokens * price.output +
        usage.cache_read_input_tokens * price.cacheRead +
        usage.cache_creation_input_tokens * price.cacheWrite);
  }
  return Math.round(microUsd);
}
