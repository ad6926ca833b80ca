import { createRoute, z } from '@hono/zod-openapi';
import { approvalAnswer } from '../../../protocol/approval.ts';
import { accepted } from '../../../protocol/http.ts';
import { requestId, sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('approvals.answer', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/approvals/{requestId}',
  summary: 'Answer what the engine asks; the same answer may be sent again',
  request: { params: z.object({ sessionId, requestId }), body: jsonBody(approvalAnswer) },
  responses: { 202: json(accepted, 'The answer stands and is on its way'), ...ERROR_ANSWER },
});

/**
 * Refuses `request_not_found`, `approval_expired`, and `approval_answered` for a different answer;
 * the same one again is accepted.
 */
export function registerAnswerApproval(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind } = context.get('principal');
    const { sessionId: id, requestId: request } = context.req.valid('param');
    const channel = kind === 'person' ? 'console' : 'cli';
    const input = { requestId: request, answer: context.req.valid('json'), actorId, channel };
    unwrap(await feedOf(context.env, accountId, id).answer(input));
    return context.json({ accepted: true as const }, 202);
  });
}
