import { createRoute } from '@hono/zod-openapi';
import { instanceDetail, makeInstanceRequest } from '../../../../protocol/operator-http.ts';
import { requirePersonOrCli } from '../../../access/principal.ts';
import { openDatabase } from '../../../db/client.ts';
import { makeInstance } from '../../../operators/instances.ts';
import { readInstanceDetail } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.make', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/instances',
  summary: 'Make an instance of an operator on a machine',
  request: { body: jsonBody(makeInstanceRequest) },
  responses: { 201: json(instanceDetail, 'The instance as it stands'), ...ERROR_ANSWER },
});

/** Making it agrees to the ceiling of `agreedVersion`. Refuses `operator_changed` for an older one. */
export function registerMakeInstance(app: App): void {
  app.openapi(route, async (context) => {
    const maker = requirePersonOrCli(context.get('principal'));
    const id = await makeInstance(context.env, maker, context.req.valid('json'), Date.now());
    context.set('made', id);
    const database = openDatabase(context.env.DB);
    return context.json(await readInstanceDetail(database, maker.accountId, id), 201);
  });
}
