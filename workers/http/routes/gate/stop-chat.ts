import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../../protocol/http.ts';
import { instanceId } from '../../../../protocol/ids.ts';
import { openDatabase } from '../../../db/client.ts';
import { unwrap } from '../../../lib/outcome.ts';
import { chatOf } from '../../../lib/stubs.ts';
import { requireRevision } from '../../../operators/read.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('chat.stop', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances/{instanceId}/chat/stop',
  summary: 'Stop an instance’s agent, whatever it is doing',
  request: { params: z.object({ instanceId }) },
  responses: { 202: json(accepted, 'It makes no further call'), ...ERROR_ANSWER },
});

/** Refuses `instance_not_found`. A command that runs in a terminal goes on there. */
export function registerStopChat(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const { instanceId: id } = context.req.valid('param');
    await requireRevision(openDatabase(context.env.DB), accountId, id);
    unwrap(await chatOf(context.env, accountId, id).stop(actorId));
    return context.json({ accepted: true as const }, 202);
  });
}
