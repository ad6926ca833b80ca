import { queryOptions } from '@tanstack/react-query';
import {
  type BudgetKey,
  budgetHistory,
  budgetList,
  budgetVersion,
  type SaveBudgetRequest,
} from '../../protocol/shared-budget.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';
import type { Place } from './place.ts';
import { LEDGER_EVERY_MS } from './queries.ts';

type BudgetUnit = BudgetKey['unit'];
type BudgetRenewal = BudgetKey['renews'];

/** Everything that a saved budget changes. */
export const BUDGETS_KEY = ['budgets'] as const;

/** How every budget stands. */
export const budgetsQuery = queryOptions({
  queryKey: BUDGETS_KEY,
  queryFn: ({ signal }) => read(budgetList, api.budgets, { signal }),
  select: ({ items }) => items,
  refetchInterval: LEDGER_EVERY_MS,
});

/** Saves the next version of one budget. */
export const saveBudget = (request: SaveBudgetRequest) => send(budgetVersion, api.budgets, request);

/** What one budget was, the newest first; none that there is any more is a version too. */
export const budgetVersionsQuery = (place: Place, unit: BudgetUnit, renews: BudgetRenewal) =>
  queryOptions({
    queryKey: [...BUDGETS_KEY, 'versions', place, unit, renews],
    queryFn: ({ signal }) =>
      read(budgetHistory, api.budgetVersions, { signal, query: { unit, renews, ...place } }),
    select: ({ items }) => items,
    refetchInterval: LEDGER_EVERY_MS,
  });
