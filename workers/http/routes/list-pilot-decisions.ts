import { createRoute, z } from '@hono/zod-openapi';
import { pageQuery } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { pilotDecisionPage } from '../../../protocol/pilot-view.ts';
import { openDatabase } from '../../db/client.ts';
import { listDecisions } from '../../pilot/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pilot.listDecisions', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/pilot/decisions',
  summary: 'What a session’s Pilot decided, newest first, with its reasons and evidence',
  request: { params: z.object({ sessionId }), query: pageQuery },
  responses: { 200: json(pilotDecisionPage, 'A page of its decisions'), ...ERROR_ANSWER },
});

/** Of a session without a Pilot the list is empty. */
export function registerListPilotDecisions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const database = openDatabase(context.env.DB);
    return context.json(
      await listDecisions(database, accountId, id, context.req.valid('query')),
      200,
    );
  });
}
