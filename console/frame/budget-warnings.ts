import { type BudgetStanding, markPassed, sayMark } from '../../protocol/shared-budget.ts';
import { formatCount, OWN_FORM } from '../format/locale.ts';

/** That a part of a budget is used. `tag` names this part of this budget in this period. */
export type BudgetWarning = { tag: string; title: string; body: string };

/** What is told of the budgets as they stand: of each the highest part that is used. */
export const budgetWarnings = (budgets: readonly BudgetStanding[]): BudgetWarning[] =>
  budgets.flatMap((budget) => {
    const mark = markPassed(budget.used, budget.limit, 0);
    if (mark === null) return [];
    const { scope, unit, renews, version, renewsAt } = budget;
    const tag = JSON.stringify(['budget', scope, unit, renews, version, renewsAt, mark]);
    return [
      {
        tag,
        title: `${formatCount(mark)} % of a budget is used`,
        body: sayMark(budget, mark, OWN_FORM),
      },
    ];
  });
