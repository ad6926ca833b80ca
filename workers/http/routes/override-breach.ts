import { createRoute, z } from '@hono/zod-openapi';
import { accepted, overrideRequest } from '../../../protocol/http.ts';
import { actId, sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('breaches.override', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/breaches/{actId}/override',
  summary: 'Answer for a breach, with a reason; after the last one the session may go on',
  request: { params: z.object({ sessionId, actId }), body: jsonBody(overrideRequest) },
  responses: { 202: json(accepted, 'It is on the record'), ...ERROR_ANSWER },
});

/** Refuses `breach_not_found`. The first word on a breach stands; said again it changes nothing. */
export function registerOverrideBreach(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind } = context.get('principal');
    const { sessionId: id, actId: act } = context.req.valid('param');
    const { reason } = context.req.valid('json');
    const channel = kind === 'person' ? 'console' : 'cli';
    const input = { actId: act, reason, actorId, channel };
    unwrap(await feedOf(context.env, accountId, id).overrideBreach(input));
    return context.json({ accepted: true as const }, 202);
  });
}
