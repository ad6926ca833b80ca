import { createRoute } from '@hono/zod-openapi';
import { breachesQuery, breachPage } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listBreaches } from '../../ledger/read-breaches.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('breaches.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/breaches',
  summary: 'Acts that their session’s policy forbids and that happened, newest first',
  request: { query: breachesQuery },
  responses: { 200: json(breachPage, 'A page of breaches'), ...ERROR_ANSWER },
});

/** From the ledger in D1, which follows the feeds a moment later. Wakes no feed. */
export function registerListBreaches(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    return context.json(await listBreaches(openDatabase(context.env.DB), accountId, query), 200);
  });
}
