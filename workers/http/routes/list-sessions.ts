import { createRoute } from '@hono/zod-openapi';
import { sessionPage, sessionQuery } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listSessions } from '../../sessions/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions',
  summary: 'Sessions, newest first',
  request: { query: sessionQuery },
  responses: { 200: json(sessionPage, 'A page of sessions'), ...ERROR_ANSWER },
});

/** From the projection in D1: a list wakes no feed. */
export function registerListSessions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const page = await listSessions(
      openDatabase(context.env.DB),
      accountId,
      context.req.valid('query'),
    );
    return context.json(page, 200);
  });
}
