import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { runStatus } from '../../../protocol/run-report.ts';
import { readStatus } from '../../reports/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';
import { runReader } from '../run-reader.ts';

const route = createRoute({
  ...calledBy('sessions.status', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/status',
  summary: 'How a session stands for one who delegated it: claim, witnessed acts, spend, questions',
  request: { params: z.object({ sessionId }) },
  responses: { 200: json(runStatus, 'Where it stands, and why'), ...ERROR_ANSWER },
});

/** From the feed, which owns the record. Refuses `session_not_found`. */
export function registerReadStatus(app: App): void {
  app.openapi(route, async (context) => {
    const { sessionId: id } = context.req.valid('param');
    return context.json(await readStatus(runReader(context), id), 200);
  });
}
