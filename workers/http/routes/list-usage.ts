import { createRoute } from '@hono/zod-openapi';
import { usagePage, usageQuery } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listUsage } from '../../ledger/read-usage.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/usage',
  summary: 'Usage entries, newest first',
  request: { query: usageQuery },
  responses: { 200: json(usagePage, 'A page of entries'), ...ERROR_ANSWER },
});

/** From the ledger in D1, entry by entry. Sums are an operation of their own. */
export function registerListUsage(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(
      await listUsage(openDatabase(context.env.DB), accountId, context.req.valid('query')),
      200,
    );
  });
}
