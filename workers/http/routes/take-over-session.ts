import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { takenOver, takeoverRequest } from '../../../protocol/takeover.ts';
import { newToken, sha256Hex } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.takeOver', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/takeover',
  summary: 'Drive a session by hand, with keys or with text; the answer’s key proves it',
  request: { params: z.object({ sessionId }), body: jsonBody(takeoverRequest) },
  responses: { 200: json(takenOver, 'Yours, until it is handed back'), ...ERROR_ANSWER },
});

/**
 * Refuses `keys_unsupported`, `taken_over` without `force`, `runner_offline`, and what the
 * session’s state refuses.
 */
export function registerTakeOverSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const { form, columns, rows, force } = context.req.valid('json');
    const key = newToken();
    const input = {
      form,
      size: { columns, rows },
      force,
      keyHash: await sha256Hex(key),
      actorId,
      channel: kind === 'person' ? 'console' : 'cli',
    };
    const { epoch } = unwrap(await feedOf(context.env, accountId, id).takeOver(input));
    return context.json({ key, epoch }, 200);
  });
}
