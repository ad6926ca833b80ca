import { createRoute } from '@hono/zod-openapi';
import { compareQuery, runComparison } from '../../../protocol/run-compare.ts';
import { readComparison } from '../../reports/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';
import { runReader } from '../run-reader.ts';

const route = createRoute({
  ...calledBy('sessions.compare', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/comparisons',
  summary: 'Runs beside each other; sides whose cost is not known are in no conclusion about cost',
  request: { query: compareQuery },
  responses: { 200: json(runComparison, 'The sides and what may be concluded'), ...ERROR_ANSWER },
});

/** Refuses `session_not_found`. */
export function registerCompareSessions(app: App): void {
  app.openapi(route, async (context) => {
    const { sessions } = context.req.valid('query');
    return context.json(await readComparison(runReader(context), sessions), 200);
  });
}
