import { createRoute, z } from '@hono/zod-openapi';
import { instanceId } from '../../../../protocol/ids.ts';
import { instanceHistory } from '../../../../protocol/operator-http.ts';
import { openDatabase } from '../../../db/client.ts';
import { listRevisions } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.history', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/instances/{instanceId}/history',
  summary: 'What was said of an instance and by whom, the newest first',
  request: { params: z.object({ instanceId }) },
  responses: { 200: json(instanceHistory, 'The last hundred changes'), ...ERROR_ANSWER },
});

/** Nothing of it is ever rewritten. Refuses `instance_not_found`. */
export function registerListRevisions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    return context.json(await listRevisions(openDatabase(context.env.DB), accountId, id), 200);
  });
}
