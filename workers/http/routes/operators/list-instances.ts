import { createRoute } from '@hono/zod-openapi';
import { instancePage, instancesQuery } from '../../../../protocol/operator-http.ts';
import { openDatabase } from '../../../db/client.ts';
import { listInstances } from '../../../operators/list.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('instances.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/instances',
  summary: 'Instances of operators, newest first, without removed ones',
  request: { query: instancesQuery },
  responses: { 200: json(instancePage, 'A page of instances'), ...ERROR_ANSWER },
});

/** Each with the version that runs, and the one that waits for an agreement. */
export function registerListInstances(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    return context.json(await listInstances(openDatabase(context.env.DB), accountId, query), 200);
  });
}
