import { createRoute } from '@hono/zod-openapi';
import { repairedSums } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { repairSums } from '../../ledger/repair-sums.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.repair', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/usage/repair',
  summary: 'Compare the sums of usage with its entries, and make them anew where they differ',
  responses: { 200: json(repairedSums, 'How many sums were wrong'), ...ERROR_ANSWER },
});

/** Changes sums alone; no entry is touched. */
export function registerRepairUsage(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(await repairSums(openDatabase(context.env.DB), accountId), 200);
  });
}
