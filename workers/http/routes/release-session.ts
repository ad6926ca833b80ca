import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { releaseRequest } from '../../../protocol/takeover.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.release', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/release',
  summary: 'Hand a session back that was driven by hand',
  request: { params: z.object({ sessionId }), body: jsonBody(releaseRequest) },
  responses: { 202: json(accepted, 'Handed back; a terminal closes'), ...ERROR_ANSWER },
});

/** Refuses `not_taken_over`, and `taken_over` without the driver’s key or `force`. */
export function registerReleaseSession(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind } = context.get('principal');
    const { sessionId: id } = context.req.valid('param');
    const { key, force } = context.req.valid('json');
    const keyHash = key === null ? null : await sha256Hex(key);
    const channel = kind === 'person' ? 'console' : 'cli';
    unwrap(await feedOf(context.env, accountId, id).release({ keyHash, force, actorId, channel }));
    return context.json({ accepted: true as const }, 202);
  });
}
