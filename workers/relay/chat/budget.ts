import { plural } from '../../../protocol/figures.ts';
import type { OwnPrice } from '../../../protocol/own-price.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const MICRO = 1_000_000;

/** Why the model is not asked any more, as a sentence with what to do; null while it may be. Pure. */
export function budgetReachedBy(
  model: string,
  { spentMicroUsd, unpriced }: { spentMicroUsd: number; unpriced: number },
  budgetMicroUsd: number | null,
  price: OwnPrice | null = null,
): string | null {
  if (budgetMicroUsd === null) return null;
  if (estimateMicroUsd(model, NOTHING, price) === null)
    return `No price of ${model} is known, so a budget cannot be kept. Say what it costs with its key, choose another model, or take the budget away.`;
  const dollars = (microUsd: number) => `$${(microUsd / MICRO).toFixed(2)}`;
  if (spentMicroUsd < budgetMicroUsd) return null;
  const short = unpriced > 0 ? `, and ${plural(unpriced, 'answer')} whose cost is not known` : '';
  return `Its model came to ${dollars(spentMicroUsd)}${short}, and the budget is ${dollars(budgetMicroUsd)}. Give it a larger one, then say how to go on.`;
}
