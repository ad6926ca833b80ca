import type { Served } from './server.ts';

type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

/**
 * List prices in micro-dollars per token, found by serving a million tokens of each kind to claude
 * 2.1.332 and reading the `costUSD` that it printed. An oracle of the tests: it shares nothing with
 * the product's own table.
 */
const PRICES: Record<string, Price> = {
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

/** What was served, in whole micro-dollars, as a bill would say. Throws for an unknown model. */
export function billOf(served: readonly Served[]): number {
  let microUsd = 0;
  for (const { model, usage } of served) {
    const price = PRICES[model];
    if (!price) throw new Error(`no price is known for ${model}`);
    microUsd +=
      usage.input_tokens * price.input +
      usage.output_tokens * price.output +
      usage.cache_read_input_tokens * price.cacheRead +
      usage.cache_creation_input_tokens * price.cacheWrite;
  }
  return Math.round(microUsd);
}
