import { calcPrice } from '@pydantic/genai-prices';
import type { GeminiServed } from './gemini-api.ts';
import { sumOf, type Tokens } from './tokens.ts';

/** What was served, in whole micro-dollars per model, by a price table that the product does not use. */
export function geminiBillOf(served: readonly GeminiServed[]): number {
  const perModel = new Map<string, number>();
  for (const { model, usage, complete } of served) {
    if (!complete) continue;
    const price = calcPrice(
      {
        input_tokens: usage.prompt,
        cache_read_tokens: usage.cached,
        output_tokens: usage.candidates + usage.thoughts,
      },
      model,
      { providerId: 'google' },
    );
    if (!price) throw new Error(`no price is known for ${model}`);
    perModel.set(model, (perModel.get(model) ?? 0) + price.total_price * 1e6);
  }
  return [...perModel.values()].reduce((sum, microUsd) => sum + Math.round(microUsd), 0);
}

/** The tokens of everything that was served to its end. */
export function geminiTokensOf(served: readonly GeminiServed[]): Tokens {
  const whole = served.filter(({ complete }) => complete).map(({ usage }) => usage);
  return {
    inputTokens: sumOf(whole, ({ prompt, cached }) => prompt - cached),
    outputTokens: sumOf(whole, ({ candidates, thoughts }) => candidates + thoughts),
    cacheReadTokens: sumOf(whole, ({ cached }) => cached),
    cacheWriteTokens: 0,
  };
}
