import { createRoute } from '@hono/zod-openapi';
import {
  postedOutcome,
  postedReport,
  postReportQuery,
  REPORTS_PATH,
} from '../../../protocol/decisions.ts';
import { PilothouseError } from '../../../protocol/errors.ts';
import { openDatabase } from '../../db/client.ts';
import { appendReport } from '../../decisions/append.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionReports.post', 'decisionKey'),
  method: 'post',
  path: REPORTS_PATH,
  summary: 'Post what a check of decision records found',
  description:
    'The body is what `pilothouse adr check --json` prints, the key says which repository it is of. Again is no second report: the first one of a commit and a start stands.',
  request: { query: postReportQuery, body: jsonBody(postedReport) },
  responses: { 200: json(postedOutcome, 'What became of it'), ...ERROR_ANSWER },
});

/** For a build’s key alone: a person’s cookie cannot put words into a build’s mouth. */
export function registerPostDecisionReport(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, decisions } = context.get('principal');
    if (!decisions) throw new PilothouseError('forbidden');
    const outcome = await appendReport(
      openDatabase(context.env.DB),
      { accountId, actorId, ...decisions },
      context.req.valid('query').branch,
      context.req.valid('json'),
      Date.now(),
    );
    return context.json(outcome, 200);
  });
}
