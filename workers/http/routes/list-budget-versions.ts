import { createRoute } from '@hono/zod-openapi';
import { budgetHistory, budgetQuery } from '../../../protocol/shared-budget.ts';
import { bookOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('budgets.history', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/budgets/versions',
  summary: 'What one budget was, the newest version first',
  request: { query: budgetQuery },
  responses: { 200: json(budgetHistory, 'The last 100 versions'), ...ERROR_ANSWER },
});

/** Of the account, or of exactly the directory that is named. */
export function registerListBudgetVersions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { unit, renews, runnerId, directory } = context.req.valid('query');
    const scope =
      runnerId && directory
        ? { kind: 'repository' as const, runnerId, directory }
        : { kind: 'account' as const };
    const items = await bookOf(context.env, accountId).history({ scope, unit, renews });
    return context.json({ items }, 200);
  });
}
