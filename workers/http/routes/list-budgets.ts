import { createRoute } from '@hono/zod-openapi';
import { budgetList } from '../../../protocol/shared-budget.ts';
import { bookOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('budgets.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/budgets',
  summary: 'The budgets of the account and its repositories, and how each stands now',
  responses: { 200: json(budgetList, 'What is used, granted and left'), ...ERROR_ANSWER },
});

export function registerListBudgets(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json({ items: await bookOf(context.env, accountId).list() }, 200);
  });
}
