import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { writeReport } from '../../../protocol/run-markdown.ts';
import { runReport } from '../../../protocol/run-report.ts';
import { readReport } from '../../reports/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { runReader } from '../run-reader.ts';

const route = createRoute({
  ...calledBy('sessions.report', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/report',
  summary:
    'The report of a run: objective, outcome, turns, acts, approvals, policy, and what it cannot tell',
  request: {
    params: z.object({ sessionId }),
    query: z.object({ format: z.enum(['json', 'markdown']).default('json') }),
  },
  responses: {
    200: {
      description: 'The report, as a file to keep',
      content: {
        'application/json': { schema: runReport },
        'text/markdown': { schema: z.string() },
      },
    },
    ...ERROR_ANSWER,
  },
});

/** A browser saves it as a file. Refuses `session_not_found`. */
export function registerReadReport(app: App): void {
  app.openapi(route, async (context) => {
    const { sessionId: id } = context.req.valid('param');
    const { format } = context.req.valid('query');
    const report = await readReport(runReader(context), id);
    const name = `${id}.report.${format === 'json' ? 'json' : 'md'}`;
    context.header('content-disposition', `attachment; filename="${name}"`);
    if (format === 'json') return context.json(report, 200);
    return context.body(writeReport(report), 200, {
      'content-type': 'text/markdown; charset=utf-8',
    });
  });
}
