import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../../protocol/http.ts';
import { operatorId } from '../../../../protocol/ids.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { openDatabase } from '../../../db/client.ts';
import { withdrawOperator } from '../../../operators/publish.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('operators.withdraw', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/operators/{operatorId}/withdraw',
  summary: 'Withdraw an operator; its instances go on',
  request: { params: z.object({ operatorId }) },
  responses: { 200: json(accepted, 'Nothing new is made of it'), ...ERROR_ANSWER },
});

/** Again is no error. Refuses `operator_built_in` and `operator_not_found`. */
export function registerWithdrawOperator(app: App): void {
  app.openapi(route, async (context) => {
    const creator = requirePersonOrCli(context.get('principal'));
    const { operatorId: id } = context.req.valid('param');
    await withdrawOperator(openDatabase(context.env.DB), creator, id, Date.now());
    return context.json({ accepted: true as const }, 200);
  });
}
