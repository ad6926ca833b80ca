import { createRoute, z } from '@hono/zod-openapi';
import { ACCESS_COLUMNS, accessExportQuery, accessRow } from '../../../protocol/audit.ts';
import { PAGE_MAX } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listAccess } from '../../access/read-log.ts';
import { exportHeaders, streamExport } from '../../lib/export.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.export', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/access/export',
  summary: 'The access log of a time as a file',
  request: { query: accessExportQuery },
  responses: {
    200: {
      description: 'The file, newest first',
      content: {
        'text/csv': { schema: z.string() },
        'application/json': { schema: z.array(accessRow) },
      },
    },
    ...ERROR_ANSWER,
  },
});

/** Read as it is fetched, like every export. */
export function registerExportAccess(app: App): void {
  app.openapi(route, (context) => {
    const { accountId } = context.get('principal');
    const { format, ...query } = context.req.valid('query');
    const database = openDatabase(context.env.DB);
    const file = streamExport(format, ACCESS_COLUMNS, (cursor) =>
      listAccess(database, accountId, { ...query, cursor, limit: PAGE_MAX }),
    );
    return context.body(file, 200, exportHeaders('pilothouse-access', format));
  });
}
