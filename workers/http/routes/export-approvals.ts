import { createRoute, z } from '@hono/zod-openapi';
import { APPROVAL_COLUMNS, approvalsExportQuery, approvalRow } from '../../../protocol/audit.ts';
import { PAGE_MAX } from '../../../protocol/http.ts';
import { openDatabase } from '../../db/client.ts';
import { listApprovals } from '../../ledger/read-approvals.ts';
import { exportHeaders, streamExport } from '../../lib/export.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('approvals.export', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/approvals/export',
  summary: 'Approvals of a time as a file',
  request: { query: approvalsExportQuery },
  responses: {
    200: {
      description: 'The file, newest first',
      content: {
        'text/csv': { schema: z.string() },
        'application/json': { schema: z.array(approvalRow) },
      },
    },
    ...ERROR_ANSWER,
  },
});

/** Who answered, from where, and when. */
export function registerExportApprovals(app: App): void {
  app.openapi(route, (context) => {
    const { accountId } = context.get('principal');
    const { format, ...query } = context.req.valid('query');
    const database = openDatabase(context.env.DB);
    const file = streamExport(format, APPROVAL_COLUMNS, (cursor) =>
      listApprovals(database, accountId, { ...query, cursor, limit: PAGE_MAX }),
    );
    return context.body(file, 200, exportHeaders('pilothouse-approvals', format));
  });
}
