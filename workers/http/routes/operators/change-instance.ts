import { createRoute, z } from '@hono/zod-openapi';
import { instanceId } from '../../../../protocol/ids.ts';
import { instanceChange, instanceDetail } from '../../../../protocol/operator-http.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { openDatabase } from '../../../db/client.ts';
import { changeInstance } from '../../../operators/instances.ts';
import { readInstanceDetail } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.change', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances/{instanceId}/changes',
  summary: 'Change one thing about an instance: bind, consent, pause, …',
  request: { params: z.object({ instanceId }), body: jsonBody(instanceChange) },
  responses: { 200: json(instanceDetail, 'The instance as it stands'), ...ERROR_ANSWER },
});

/** What is so already stays as it is. Refuses `instance_removed`, and `conflict` for two at once. */
export function registerChangeInstance(app: App): void {
  app.openapi(route, async (context) => {
    const changer = requirePersonOrCli(context.get('principal'));
    const { instanceId: id } = context.req.valid('param');
    await changeInstance(context.env, changer, id, context.req.valid('json'), Date.now());
    const database = openDatabase(context.env.DB);
    return context.json(await readInstanceDetail(database, changer.accountId, id), 200);
  });
}
