import { createRoute } from '@hono/zod-openapi';
import { usageDays, usageDaysQuery } from '../../../protocol/usage-views.ts';
import { openDatabase } from '../../db/client.ts';
import { listUsageDays } from '../../ledger/summarise-usage.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.days', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/usage/days',
  summary: 'Usage of each day by who is charged, each provenance summed apart',
  request: { query: usageDaysQuery },
  responses: { 200: json(usageDays, 'Days in UTC, in their order'), ...ERROR_ANSWER },
});

/** What a chart by day is drawn from. */
export function registerListUsageDays(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    const items = await listUsageDays(openDatabase(context.env.DB), accountId, query);
    return context.json({ items }, 200);
  });
}
