import { createRoute, z } from '@hono/zod-openapi';
import { pageOf, pageQuery } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { paneRecord } from '../../../protocol/panes.ts';
import { terminalTarget } from '../../../protocol/terminal.ts';
import { openDatabase } from '../../db/client.ts';
import { listPaneRecords } from '../../ledger/pane-records.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('panes.listRecords', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/panes/records',
  summary: 'Who watched and drove terminals of a machine, and how many bytes they typed',
  request: {
    params: z.object({ runnerId }),
    query: z.object({ ...pageQuery.shape, target: terminalTarget.optional() }),
  },
  responses: { 200: json(pageOf(paneRecord), 'A page of it, newest first'), ...ERROR_ANSWER },
});

/** How much, never what: nothing that was typed is kept anywhere. */
export function registerListPaneRecords(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const database = openDatabase(context.env.DB);
    await requireRunner(database, accountId, id);
    const query = { ...context.req.valid('query'), runnerId: id };
    return context.json(await listPaneRecords(database, accountId, query), 200);
  });
}
