import { findModel } from './budget.ts';
import type { OwnPrice } from './own-price.ts';
import type { UsageEntry } from './usage.ts';

export type Tokens = Pick<
  UsageEntry,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
>;

/** Micro-USD per token, which is the same number as dollars per million tokens. */
type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };
type Table = readonly (readonly [name: string, price: Price])[];

/**
 * List prices.
 * Source: the figures that claude 2.1.332 and 2.1.197 report themselves (`modelUsage.costUSD` of
 * known token counts, and the model list of `initialize`), as of 2026-11-29. Used only
 * for turns that died before the engine gave its own figure, and labelled as estimates. A call of
 * claude-haiku-5-5 with a prompt over 100,000 tokens costs five times this; one turn's sum cannot
 * tell how its calls were divided, so the lower figure stands.
 */
const CLAUDE: Table = [
  ['claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['claude-opus-4', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-fable-5-2', { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 }],
  ['claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
  ['claude-sonnet-5', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-sonnet-4', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-haiku-5-5', { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }],
  ['claude-haiku-4-5', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
];

/**
 * List prices of the paid tier, for text, of prompts up to 200,000 tokens: a turn's sum cannot
 * tell which of its calls had a longer one, which costs twice as much on the pro models. Thoughts
 * are billed as output.
 * Source: @pydantic/genai-prices 0.1.8, which follows https://ai.google.dev/gemini-api/docs/pricing,
 * as of 2026-11-29. A test holds the two together.
 */
const GEMINI: Table = [
  ['gemini-3.8-flash', { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: 0.75 }],
  ['gemini-3.5-flash-lite', { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0.3 }],
  ['gemini-3.5-flash', { input: 1.5, output: 9, cacheRead: 0.15, cacheWrite: 1.5 }],
  ['gemini-3.1-pro', { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2 }],
  ['gemini-3.1-flash-lite', { input: 0.25, output: 1.5, cacheRead: 0.025, cacheWrite: 0.25 }],
  ['gemini-3-pro', { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2 }],
  ['gemini-3-flash', { input: 0.5, output: 3, cacheRead: 0.05, cacheWrite: 0.5 }],
  ['gemini-2.5-pro', { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 }],
  ['gemini-2.5-flash-lite', { input: 0.1, output: 0.4, cacheRead: 0.01, cacheWrite: 0.1 }],
  ['gemini-2.5-flash', { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0.3 }],
];

/**
 * List prices of OpenAI's standard tier, for short prompts: a turn's sum cannot tell how its calls
 * were divided. Reasoning is billed as output; what is written to the cache is plain input.
 * Source: @pydantic/genai-prices 0.1.8, which follows https://openai.com/api/pricing, as of
 * 2026-11-29. A test holds the two together. A newer model has no price here, and no estimate.
 */
const OPENAI: Table = [
  ['gpt-6-sol', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2 }],
  ['gpt-5.6-sol', { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 4 }],
  ['gpt-5.6-luna', { input: 0.2, output: 1.2, cacheRead: 0.02, cacheWrite: 0.2 }],
  ['gpt-5.5', { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 5 }],
  ['gpt-5.4-mini', { input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0.75 }],
  ['gpt-5.4-nano', { input: 0.2, output: 1.25, cacheRead: 0.02, cacheWrite: 0.2 }],
  ['gpt-5.4', { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 }],
  ['gpt-5.3-codex', { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 1.75 }],
  ['gpt-5.2', { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 1.75 }],
  ['gpt-5-mini', { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 }],
];

const PRICES: Table = [...CLAUDE, ...GEMINI, ...OPENAI];

const MILLION = 1_000_000;

const NAMES = PRICES.map(([name]) => name);

/** Names of the models with a known price. */
export const listPricedModels = (): string[] => [...NAMES];

function listPrice(model: string): Price | undefined {
  const name = findModel(NAMES, model);
  return PRICES.find(([known]) => known === name)?.[1];
}

function priceOf({ inputMicroUsd, outputMicroUsd, ...cache }: OwnPrice): Price {
  const { cacheReadMicroUsd = inputMicroUsd, cacheWriteMicroUsd = inputMicroUsd } = cache;
  return {
    input: inputMicroUsd / MILLION,
    output: outputMicroUsd / MILLION,
    cacheRead: cacheReadMicroUsd / MILLION,
    cacheWrite: cacheWriteMicroUsd / MILLION,
  };
}

/**
 * Estimates a cost in integer micro-USD, at list prices or at a person's `own`; null when the model
 * has no known price, which is not zero.
 */
export function estimateMicroUsd(
  model: string,
  tokens: Tokens,
  own: OwnPrice | null = null,
): number | null {
  const price = own ? priceOf(own) : listPrice(model);
  if (!price) return null;
  return Math.round(
    tokens.inputTokens * price.input +
      tokens.outputTokens * price.output +
      tokens.cacheReadTokens * price.cacheRead +
      tokens.cacheWriteTokens * price.cacheWrite,
  );
}
