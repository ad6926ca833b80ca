import { createRoute } from '@hono/zod-openapi';
import { budgetVersion, saveBudgetRequest } from '../../../protocol/shared-budget.ts';
import { requirePersonOrCli } from '../../access/principal.ts';
import { unwrap } from '../../lib/outcome.ts';
import { bookOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('budgets.save', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/budgets',
  summary: 'Save a budget as its next version',
  request: { body: jsonBody(saveBudgetRequest) },
  responses: { 201: json(budgetVersion, 'The version as it was saved'), ...ERROR_ANSWER },
});

/** Holds from the next instruction on, in sessions that run too. Refuses `budget_changed`. */
export function registerSaveBudget(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind: savedBy } = requirePersonOrCli(context.get('principal'));
    const request = context.req.valid('json');
    const saved = await bookOf(context.env, accountId).save({ request, actorId, savedBy });
    return context.json(unwrap(saved), 201);
  });
}
