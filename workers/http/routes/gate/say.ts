import { createRoute, z } from '@hono/zod-openapi';
import { instanceId } from '../../../../protocol/ids.ts';
import { saidAnswer, sayRequest } from '../../../../protocol/operator-chat.ts';
import { openDatabase } from '../../../db/client.ts';
import { unwrap } from '../../../lib/outcome.ts';
import { chatOf } from '../../../lib/stubs.ts';
import { requireRevision } from '../../../operators/read.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('chat.say', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances/{instanceId}/chat',
  summary: 'Say something to an instance’s agent, which then works on it',
  request: { params: z.object({ instanceId }), body: jsonBody(sayRequest) },
  responses: { 202: json(saidAnswer, 'It is on the record at this place'), ...ERROR_ANSWER },
});

/** Refuses `instance_not_found` and `instance_removed`. */
export function registerSay(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    const { text, messageId = null } = context.req.valid('json');
    await requireRevision(openDatabase(context.env.DB), accountId, id);
    const said = unwrap(await chatOf(context.env, accountId, id).say(text, actorId, messageId));
    return context.json(said, 202);
  });
}
