import { createRoute, z } from '@hono/zod-openapi';
import { operatorId } from '../../../../protocol/ids.ts';
import { operatorDetail } from '../../../../protocol/operator-http.ts';
import { openDatabase } from '../../../db/client.ts';
import { readOperator } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('operators.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/operators/{operatorId}',
  summary: 'One operator with its versions, the newest first',
  request: { params: z.object({ operatorId }) },
  responses: { 200: json(operatorDetail, 'The operator'), ...ERROR_ANSWER },
});

/** Refuses `operator_not_found`. */
export function registerReadOperator(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { operatorId: id } = context.req.valid('param');
    return context.json(await readOperator(openDatabase(context.env.DB), accountId, id), 200);
  });
}
