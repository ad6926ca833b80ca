import type { ErrorContext } from '../../protocol/errors.ts';
import {
  type BudgetStanding,
  sayAmount,
  sayBudget,
  sayRenewal,
} from '../../protocol/shared-budget.ts';

/** What the refusal of a turn, or of a call that needs so much, says of the budget. */
export function exhaustedContext(
  budget: BudgetStanding,
  needed: number | null = null,
): ErrorContext {
  const { unit, used, limit, reserved, renewsAt } = budget;
  const held =
    reserved > 0 ? `, and turns under way may still come to ${sayAmount(unit, reserved)}` : '';
  const asked = needed === null ? '' : `, and the call may come to ${sayAmount(unit, needed)}`;
  const heldByTurns = used + Math.max(1, needed ?? 0) <= limit;
  const waits = heldByTurns ? ' What they do not use comes back when they end.' : '';
  return {
    budget: sayBudget(budget),
    used,
    limit,
    reserved,
    renewsAt,
    /** Turns that end may free something, long before it renews. */
    heldByTurns,
    /** A whole period would not cover it: it is never taken, however long somebody waits. */
    neverFits: (needed ?? 0) > limit,
    detail: `${capital(sayBudget(budget))} has come to ${sayAmount(unit, used)}${held}${asked}.${waits} ${sayRenewal(budget)}.`,
  };
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
