import { createRoute, z } from '@hono/zod-openapi';
import { instanceId } from '../../../../protocol/ids.ts';
import { instanceDetail } from '../../../../protocol/operator-http.ts';
import { openDatabase } from '../../../db/client.ts';
import { readInstanceDetail } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/instances/{instanceId}',
  summary: 'One instance, with what it may do in sentences',
  request: { params: z.object({ instanceId }) },
  responses: { 200: json(instanceDetail, 'The instance'), ...ERROR_ANSWER },
});

/** A removed one is read too. Refuses `instance_not_found` and `operator_unreadable`. */
export function registerReadInstance(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    return context.json(await readInstanceDetail(openDatabase(context.env.DB), accountId, id), 200);
  });
}
