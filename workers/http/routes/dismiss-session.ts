import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.dismiss', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/dismiss',
  summary: 'Say that a failure needs no more attention; who and when is on the record',
  request: { params: z.object({ sessionId }) },
  responses: { 202: json(accepted, 'It is on the record'), ...ERROR_ANSWER },
});

/** Refuses `nothing_to_dismiss` for what waits for an answer. Said again it changes nothing. */
export function registerDismissSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).request({ action: 'dismiss', actorId }));
    return context.json({ accepted: true as const }, 202);
  });
}
