import { createRoute, z } from '@hono/zod-openapi';
import { gateDecisionPage } from '../../../../protocol/gate.ts';
import { pageQuery } from '../../../../protocol/http.ts';
import { instanceId } from '../../../../protocol/ids.ts';
import { openDatabase } from '../../../db/client.ts';
import { listGateDecisions } from '../../../gate/read.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.decisions', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/instances/{instanceId}/decisions',
  summary: 'What the gate decided of an instance’s calls and why, newest first',
  request: { params: z.object({ instanceId }), query: pageQuery },
  responses: { 200: json(gateDecisionPage, 'A page of decisions'), ...ERROR_ANSWER },
});

/** Without what was in the calls. Of an instance that is not there: an empty page. */
export function registerListGateDecisions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    const database = openDatabase(context.env.DB);
    const page = await listGateDecisions(database, accountId, id, context.req.valid('query'));
    return context.json(page, 200);
  });
}
