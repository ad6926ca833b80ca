import type { SessionView } from '../../../protocol/session-view.ts';

const COUNTED = ['reported', 'estimated', 'notional', 'unsettled'] as const;
const MICRO = 1_000_000;

/**
 * Why no model is asked any more: engine and brain together have used the session's budget. Null
 * while they have not, and where there is none.
 */
export function budgetReached({
  launch: { budgetMicroUsd },
  spend,
}: Pick<SessionView, 'launch' | 'spend'>): string | null {
  if (budgetMicroUsd === null) return null;
  let spent = 0;
  for (const bucket of COUNTED) spent += spend[bucket]?.microUsd ?? 0;
  if (spent < budgetMicroUsd) return null;
  const dollars = (microUsd: number) => `$${(microUsd / MICRO).toFixed(2)}`;
  return `Engine and brain together came to ${dollars(spent)}, and the budget is ${dollars(budgetMicroUsd)}. Give the next instruction yourself, or launch again with a larger one.`;
}
