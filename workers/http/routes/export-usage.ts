import { createRoute, z } from '@hono/zod-openapi';
import { PAGE_MAX, usageRow } from '../../../protocol/http.ts';
import { USAGE_COLUMNS, usageExportQuery } from '../../../protocol/usage-views.ts';
import { openDatabase } from '../../db/client.ts';
import { listUsage } from '../../ledger/read-usage.ts';
import { exportHeaders, streamExport } from '../../lib/export.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.export', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/usage/export',
  summary: 'The usage ledger of a time as a file, entry by entry',
  request: { query: usageExportQuery },
  responses: {
    200: {
      description: 'The file, newest entry first; money in millionths of a US dollar',
      content: {
        'text/csv': { schema: z.string() },
        'application/json': { schema: z.array(usageRow) },
      },
    },
    ...ERROR_ANSWER,
  },
});

/** Read as it is fetched, so that a ledger of any size can be had. */
export function registerExportUsage(app: App): void {
  app.openapi(route, (context) => {
    const { accountId } = context.get('principal');
    const { format, ...query } = context.req.valid('query');
    const database = openDatabase(context.env.DB);
    const file = streamExport(format, USAGE_COLUMNS, (cursor) =>
      listUsage(database, accountId, { ...query, cursor, limit: PAGE_MAX }),
    );
    return context.body(file, 200, exportHeaders('pilothouse-usage', format));
  });
}
