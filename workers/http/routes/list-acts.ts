import { createRoute } from '@hono/zod-openapi';
import { actPage, actsQuery } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listActs } from '../../ledger/read-acts.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('acts.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/acts',
  summary: 'Consequential commands that were seen, newest first',
  request: { query: actsQuery },
  responses: { 200: json(actPage, 'A page of acts'), ...ERROR_ANSWER },
});

/** From the ledger in D1, which follows the feeds a moment later. Wakes no feed. */
export function registerListActs(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(
      await listActs(openDatabase(context.env.DB), accountId, context.req.valid('query')),
      200,
    );
  });
}
