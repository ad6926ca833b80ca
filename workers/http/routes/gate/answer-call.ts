import { createRoute, z } from '@hono/zod-openapi';
import { gateAnswerBody, gateCallId } from '../../../../protocol/gate.ts';
import { instanceId } from '../../../../protocol/ids.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { answerCall } from '../../../gate/answer.ts';
import { chatOf } from '../../../lib/stubs.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('gate.answer', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances/{instanceId}/calls/{callId}/answer',
  summary: 'Answer a call that waits: once, for this instance from now on, or no',
  request: { params: z.object({ instanceId, callId: gateCallId }), body: jsonBody(gateAnswerBody) },
  responses: { 200: json(gateAnswerBody, 'The answer that stands'), ...ERROR_ANSWER },
});

/** Refuses `call_not_waiting`. The first word stands; said again it changes nothing. */
export function registerAnswerCall(app: App): void {
  app.openapi(route, async (context) => {
    const saver = requirePersonOrCli(context.get('principal'));
    const input = { ...context.req.valid('param'), ...context.req.valid('json') };
    const answer = await answerCall(context.env, saver, input, Date.now());
    await chatOf(context.env, saver.accountId, input.instanceId).answered();
    return context.json({ answer }, 200);
  });
}
