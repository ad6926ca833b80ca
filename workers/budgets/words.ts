import type { ErrorContext } from '../../protocol/errors.ts';
import {
  type BudgetStanding,
  sayAmount,
  sayBudget,
  sayRenewal,
} from '../../protocol/shared-budget.ts';

/** What the refusal of a turn says of the budget that has nothing left. */
export function exhaustedContext(budget: BudgetStanding): ErrorContext {
  const { unit, used, limit, reserved, renewsAt } = budget;
  const held =
    reserved > 0 ? `, and turns under way may still come to ${sayAmount(unit, reserved)}` : '';
  const waits = used < limit ? ' What they do not use comes back when they end.' : '';
  return {
    budget: sayBudget(budget),
    used,
    limit,
    reserved,
    renewsAt,
    /** Turns that end may free something, long before it renews. */
    heldByTurns: used < limit,
    detail: `${capital(sayBudget(budget))} has come to ${sayAmount(unit, used)}${held}.${waits} ${sayRenewal(budget)}.`,
  };
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
