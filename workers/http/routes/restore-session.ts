import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.restore', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/restore',
  summary: 'Take a dismissal back',
  request: { params: z.object({ sessionId }) },
  responses: { 202: json(accepted, 'It is on the record'), ...ERROR_ANSWER },
});

/** The failure asks for attention again. */
export function registerRestoreSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    unwrap(await feedOf(context.env, accountId, id).request({ action: 'restore', actorId }));
    return context.json({ accepted: true as const }, 202);
  });
}
