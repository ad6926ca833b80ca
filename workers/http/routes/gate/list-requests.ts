import { createRoute, z } from '@hono/zod-openapi';
import { gateRequestList } from '../../../../protocol/gate.ts';
import { instanceId } from '../../../../protocol/ids.ts';
import { openDatabase } from '../../../db/client.ts';
import { listRequests } from '../../../gate/read.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('gate.requests', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/gate/requests',
  summary: 'Calls of operators that wait for a person, oldest first',
  request: { query: z.object({ instanceId: instanceId.optional() }) },
  responses: { 200: json(gateRequestList, 'Every call that waits'), ...ERROR_ANSWER },
});

/** With what would be carried out, so that a person can judge it. */
export function registerListGateRequests(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { instanceId: id } = context.req.valid('query');
    const database = openDatabase(context.env.DB);
    const items = await listRequests(database, accountId, Date.now(), id);
    return context.json({ items }, 200);
  });
}
