import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { pilotView } from '../../../protocol/pilot-view.ts';
import { openDatabase } from '../../db/client.ts';
import { feedOf } from '../../lib/stubs.ts';
import { readPilot } from '../../pilot/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pilot.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/pilot',
  summary: 'Where a session’s Pilot stands, and why',
  request: { params: z.object({ sessionId }) },
  responses: { 200: json(pilotView, 'The Pilot'), ...ERROR_ANSWER },
});

/** Refuses `session_not_found`, and `pilot_not_found` for a session that a person drives. */
export function registerReadPilot(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const feed = feedOf(context.env, accountId, id);
    return context.json(await readPilot(openDatabase(context.env.DB), feed, accountId, id), 200);
  });
}
