import { createRoute, z } from '@hono/zod-openapi';
import { instanceId } from '../../../../protocol/ids.ts';
import { chatQuery, chatView } from '../../../../protocol/operator-chat.ts';
import { openDatabase } from '../../../db/client.ts';
import { unwrap } from '../../../lib/outcome.ts';
import { chatOf } from '../../../lib/stubs.ts';
import { requireRevision } from '../../../operators/read.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('chat.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/instances/{instanceId}/chat',
  summary: 'The conversation with an instance’s agent, and what it is doing',
  request: { params: z.object({ instanceId }), query: chatQuery },
  responses: { 200: json(chatView, 'The entries after `after`'), ...ERROR_ANSWER },
});

/** Refuses `instance_not_found`. */
export function registerReadChat(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    const { after, limit } = context.req.valid('query');
    await requireRevision(openDatabase(context.env.DB), accountId, id);
    const view = unwrap(await chatOf(context.env, accountId, id).readView(after, limit));
    return context.json(view, 200);
  });
}
