import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { pilotAsk } from '../../../protocol/pilot.ts';
import { askPilot } from '../../pilot/ask.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pilot.ask', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/pilot',
  summary: 'Pause, resume or stop a session’s Pilot, confirm its proposal, or change its objective',
  request: { params: z.object({ sessionId }), body: jsonBody(pilotAsk) },
  responses: { 202: json(accepted, 'Recorded; the Pilot acts on it'), ...ERROR_ANSWER },
});

/** Refuses `pilot_not_found`, `pilot_over`, and what its status refuses. */
export function registerAskPilot(app: App): void {
  app.openapi(route, async (context) => {
    const { sessionId: id } = context.req.valid('param');
    await askPilot(context.env, context.get('principal'), id, context.req.valid('json'));
    return context.json({ accepted: true as const }, 202);
  });
}
