import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.retry', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/retry',
  summary: 'Continue the same conversation with a new launch',
  request: { params: z.object({ sessionId }) },
  responses: { 202: json(accepted, 'Asked; the record says what came of it'), ...ERROR_ANSWER },
});

/** A new launch under a new epoch. Refuses `nothing_to_retry`, and `runner_offline`. */
export function registerRetrySession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).request({ action: 'retry', actorId }));
    return context.json({ accepted: true as const }, 202);
  });
}
