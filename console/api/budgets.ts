import { queryOptions } from '@tanstack/react-query';
import {
  budgetHistory,
  budgetList,
  budgetVersion,
  type SaveBudgetRequest,
} from '../../protocol/shared-budget.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';
import { LEDGER_EVERY_MS } from './queries.ts';

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

/** What one budget of the account was, the newest first. */
export const budgetVersions = async ({
  unit,
  renews,
}: Pick<SaveBudgetRequest, 'unit' | 'renews'>) =>
  (await read(budgetHistory, api.budgetVersions, { query: { unit, renews } })).items;
