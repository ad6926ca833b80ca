import { createRoute } from '@hono/zod-openapi';
import { launched, launchRequest } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { launchSession } from '../../sessions/launch.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.launch', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions',
  summary: 'Launch a session; its objective is the first instruction',
  request: { body: jsonBody(launchRequest) },
  responses: { 201: json(launched, 'The session is queued on its machine'), ...ERROR_ANSWER },
});

/** Refuses `runner_not_found`, and `runner_offline` instead of queueing out of sight. */
export function registerLaunchSession(app: App): void {
  app.openapi(route, async (context) => {
    const database = openDatabase(context.env.DB);
    const request = context.req.valid('json');
    const ids = await launchSession(
      context.env,
      database,
      context.get('principal'),
      request,
      Date.now(),
    );
    context.set('made', ids.sessionId);
    return context.json(ids, 201);
  });
}
