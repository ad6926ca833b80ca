import {
  type BudgetStanding,
  type BudgetVersion,
  saveBudgetRequest,
} from '../../protocol/shared-budget.ts';

/** The budgets of the stand-in account, which are used and renew as a test says. */
export class MockBudgets {
  versions: BudgetVersion[] = [];
  used = 0;
  renewsAt: number | null = null;

  /** Answers what is asked of budgets; null for what is not. */
  answer(method: string, { pathname, searchParams }: URL, body: unknown, nowMs: number): unknown {
    if (method === 'POST') return this.#save(body, nowMs);
    if (pathname === '/v1/budgets') return { items: this.#standings() };
    if (pathname !== '/v1/budgets/versions') return null;
    return {
      items: this.versions.filter(
        ({ scope, unit, renews }) =>
          unit === searchParams.get('unit') &&
          renews === searchParams.get('renews') &&
          (scope.kind === 'account' ? null : scope.directory) === searchParams.get('directory'),
      ),
    };
  }

  #standings(): BudgetStanding[] {
    const newest = new Map<string, BudgetVersion>();
    for (const version of this.versions.toReversed())
      newest.set(JSON.stringify([version.scope, version.unit, version.renews]), version);
    return [...newest.values()].flatMap((version) =>
      version.limit === null
        ? []
        : [
            {
              ...version,
              limit: version.limit,
              used: this.used,
              reserved: 0,
              renewsAt: version.renews === 'daily' ? this.renewsAt : null,
            },
          ],
    );
  }

  #save(body: unknown, savedAt: number): BudgetVersion {
    const { basedOn, ...terms } = saveBudgetRequest.parse(body);
    const saved = { ...terms, version: basedOn + 1, savedBy: 'person' as const, savedAt };
    this.versions = [saved, ...this.versions];
    return saved;
  }
}
