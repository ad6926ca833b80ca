import { createRoute, z } from '@hono/zod-openapi';
import { sessionDetail } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { readSession } from '../../sessions/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}',
  summary: 'One session as its feed knows it now',
  request: { params: z.object({ sessionId }) },
  responses: { 200: json(sessionDetail, 'The session'), ...ERROR_ANSWER },
});

/** From the feed, which owns the state, and not from D1. Refuses `session_not_found`. */
export function registerReadSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    return context.json(
      await readSession(context.env, openDatabase(context.env.DB), accountId, id),
      200,
    );
  });
}
