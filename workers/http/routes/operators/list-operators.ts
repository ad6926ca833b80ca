import { createRoute } from '@hono/zod-openapi';
import { operatorList } from '../../../../protocol/operator-http.ts';
import { openDatabase } from '../../../db/client.ts';
import { listOperators } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('operators.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/operators',
  summary: 'Operators that instances can be made of',
  responses: {
    200: json(operatorList, 'Those of the account, then those of the product'),
    ...ERROR_ANSWER,
  },
});

/** A withdrawn one is not among them, though its instances run. */
export function registerListOperators(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(await listOperators(openDatabase(context.env.DB), accountId), 200);
  });
}
