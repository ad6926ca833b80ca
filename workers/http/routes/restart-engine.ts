import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.restart', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/restart',
  summary:
    'Restart the engine of a session: its process ends, its conversation goes on in a new one',
  request: { params: z.object({ sessionId }) },
  responses: { 202: json(accepted, 'Asked; the record says what came of it'), ...ERROR_ANSWER },
});

/**
 * Refuses `nothing_to_restart`, `taken_over`, `session_halted`, `session_ended` and
 * `session_not_ready`. For a machine that is away it waits until it is back.
 */
export function registerRestartEngine(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).request({ action: 'restart', actorId }));
    return context.json({ accepted: true as const }, 202);
  });
}
