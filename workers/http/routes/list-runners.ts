import { createRoute } from '@hono/zod-openapi';
import { pageQuery, runnerPage } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listRunners } from '../../runners/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners',
  summary: 'The machines, each with its presence now',
  request: { query: pageQuery },
  responses: { 200: json(runnerPage, 'A page of machines'), ...ERROR_ANSWER },
});

/** Presence is asked of each machine’s relay, one object per row of the page. */
export function registerListRunners(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const database = openDatabase(context.env.DB);
    return context.json(
      await listRunners(context.env, database, accountId, context.req.valid('query')),
      200,
    );
  });
}
