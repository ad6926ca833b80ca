import { createRoute, z } from '@hono/zod-openapi';
import { ACT_COLUMNS, actsExportQuery } from '../../../protocol/audit.ts';
import { actRow, PAGE_MAX } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listActs } from '../../ledger/read-acts.ts';
import { exportHeaders, streamExport } from '../../lib/export.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('acts.export', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/acts/export',
  summary: 'The ledger of acts as a file, with the filters of its list',
  request: { query: actsExportQuery },
  responses: {
    200: {
      description: 'The file, newest first',
      content: {
        'text/csv': { schema: z.string() },
        'application/json': { schema: z.array(actRow) },
      },
    },
    ...ERROR_ANSWER,
  },
});

/** Read as it is fetched, so that a ledger of any size can be had. */
export function registerExportActs(app: App): void {
  app.openapi(route, (context) => {
    const { accountId } = context.get('principal');
    const { format, ...query } = context.req.valid('query');
    const database = openDatabase(context.env.DB);
    const file = streamExport(format, ACT_COLUMNS, (cursor) =>
      listActs(database, accountId, { ...query, cursor, limit: PAGE_MAX }),
    );
    return context.body(file, 200, exportHeaders('pilothouse-acts', format));
  });
}
