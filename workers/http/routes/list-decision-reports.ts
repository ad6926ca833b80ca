import { createRoute } from '@hono/zod-openapi';
import { reportPage, REPORTS_PATH, reportsQuery } from '../../../protocol/decisions.ts';
import { openDatabase } from '../../db/client.ts';
import { listReports } from '../../decisions/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionReports.list', ...PERSON_AND_CLI),
  method: 'get',
  path: REPORTS_PATH,
  summary: 'Kept reports of a repository, the check that began last first',
  request: { query: reportsQuery },
  responses: { 200: json(reportPage, 'A page of reports without their content'), ...ERROR_ANSWER },
});

/** A repository that nobody posted for has none; that is no error. */
export function registerListDecisionReports(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(
      await listReports(openDatabase(context.env.DB), accountId, context.req.valid('query')),
      200,
    );
  });
}
