import { createRoute } from '@hono/zod-openapi';
import { usageSummary, usageSummaryQuery } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { summariseSpend } from '../../ledger/summarise-spend.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.summarise', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/usage/summary',
  summary: 'Usage in groups, each provenance summed apart',
  request: { query: usageSummaryQuery },
  responses: { 200: json(usageSummary, 'Totals and groups'), ...ERROR_ANSWER },
});

/** Each bucket is summed by the database, and none is added to another; operators' writes stand beside them. */
export function registerSummariseUsage(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const database = openDatabase(context.env.DB);
    const query = context.req.valid('query');
    return context.json(await summariseSpend(database, accountId, query, Date.now()), 200);
  });
}
