import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BudgetStanding } from '../../protocol/shared-budget.ts';
import { budgetsQuery } from '../api/budgets.ts';
import { toneOf } from '../budgets/tone.ts';
import { formatMoney } from '../format/money.ts';

/** The budget of dollars that holds for everything today; null where nobody has set one. */
export function findTodays(budgets: readonly BudgetStanding[]): BudgetStanding | null {
  return (
    budgets.find(
      ({ scope, unit, renews }) =>
        scope.kind === 'account' && unit === 'dollars' && renews === 'daily',
    ) ?? null
  );
}

/** What is used of today's budget, in words and as a bar; nothing where there is none. */
export function TodaysBudget() {
  const { data } = useQuery(budgetsQuery);
  const budget = data ? findTodays(data) : null;
  return budget && <BudgetBar budget={budget} />;
}

/** Used counts what the budget counts, which it says: list prices are no money spent. */
export function BudgetBar({ budget: { limit, used, counts } }: { budget: BudgetStanding }) {
  const share = Math.min(1, used / limit);
  return (
    <Link to="/settings" className="inline-flex items-center gap-2 text-sm text-soft">
      <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-full bg-line">
        <span className={`block h-full ${toneOf(share)}`} style={{ width: `${share * 100}%` }} />
      </span>
      <span className={share >= 1 ? 'text-red' : undefined}>
        <span className="figure">{formatMoney(used)}</span> of{' '}
        <span className="figure">{formatMoney(limit)}</span> budget
        {counts === 'all' && ', list prices included'}
      </span>
    </Link>
  );
}
