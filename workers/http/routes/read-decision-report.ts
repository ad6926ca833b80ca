import { createRoute, z } from '@hono/zod-openapi';
import { reportDetail } from '../../../protocol/decisions.ts';
import { decisionReportId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { readReport } from '../../decisions/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionReports.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/decisions/reports/{reportId}',
  summary: 'One report as it was posted',
  request: { params: z.object({ reportId: decisionReportId }) },
  responses: { 200: json(reportDetail, 'The report'), ...ERROR_ANSWER },
});

/** Throws `decision_report_not_found`: old reports go when many later ones are kept. */
export function registerReadDecisionReport(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { reportId } = context.req.valid('param');
    return context.json(await readReport(openDatabase(context.env.DB), accountId, reportId), 200);
  });
}
