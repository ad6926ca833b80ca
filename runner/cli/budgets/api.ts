import {
  budgetHistory,
  type BudgetKey,
  budgetList,
  type BudgetStanding,
  type BudgetVersion,
  budgetVersion,
  type SaveBudgetRequest,
} from '../../../protocol/shared-budget.ts';
import type { Call } from '../api.ts';

/** Budgets as the command line asks for them. */
export type BudgetsApi = {
  listBudgets(): Promise<BudgetStanding[]>;
  /** The newest first. */
  listBudgetVersions(key: BudgetKey): Promise<BudgetVersion[]>;
  saveBudget(request: SaveBudgetRequest): Promise<BudgetVersion>;
};

export function createBudgetsApi(call: Call): BudgetsApi {
  return {
    listBudgets: async () => (await call('GET', '/v1/budgets', budgetList)).items,
    listBudgetVersions: async ({ scope, unit, renews }) => {
      const query = new URLSearchParams({ unit, renews });
      if (scope.kind === 'repository') {
        query.set('runnerId', scope.runnerId);
        query.set('directory', scope.directory);
      }
      return (await call('GET', `/v1/budgets/versions?${query}`, budgetHistory)).items;
    },
    saveBudget: (request) => call('POST', '/v1/budgets', budgetVersion, request),
  };
}
