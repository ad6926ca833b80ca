import { createRoute, z } from '@hono/zod-openapi';
import { entriesPage, entriesQuery } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.listEntries', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/entries',
  summary: 'The record of a session after a position',
  request: { params: z.object({ sessionId }), query: entriesQuery },
  responses: {
    200: json(entriesPage, 'Entries in order, and the last position there is'),
    ...ERROR_ANSWER,
  },
});

/** From the feed itself, which is ahead of D1. Refuses `session_not_found`. */
export function registerListEntries(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const { after, limit } = context.req.valid('query');
    return context.json(
      unwrap(await feedOf(context.env, accountId, id).listEntries(after, limit)),
      200,
    );
  });
}
