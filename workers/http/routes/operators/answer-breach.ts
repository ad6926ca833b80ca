import { createRoute, z } from '@hono/zod-openapi';
import { accepted, overrideRequest } from '../../../../protocol/http.ts';
import { actId, instanceId } from '../../../../protocol/ids.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { openDatabase } from '../../../db/client.ts';
import { answerBreach } from '../../../operators/answer-breach.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.answerBreach', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances/{instanceId}/breaches/{actId}/override',
  summary:
    'Answer for a breach of an operator, with a reason; after the last one it may write again',
  request: { params: z.object({ instanceId, actId }), body: jsonBody(overrideRequest) },
  responses: { 202: json(accepted, 'It is on the record'), ...ERROR_ANSWER },
});

/** Refuses `breach_not_found`. The first word on a breach stands; said again it changes nothing. */
export function registerAnswerBreach(app: App): void {
  app.openapi(route, async (context) => {
    const saver = requirePersonOrCli(context.get('principal'));
    const input = { ...context.req.valid('param'), ...context.req.valid('json') };
    await answerBreach(openDatabase(context.env.DB), saver, input, Date.now());
    return context.json({ accepted: true as const }, 202);
  });
}
