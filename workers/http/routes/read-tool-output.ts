import { createRoute, z } from '@hono/zod-openapi';
import { toolOutput } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import { askRunner } from '../../runners/ask.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.readToolOutput', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/tools/{toolId}/output',
  summary: 'The whole output of a tool call, from the machine that keeps it',
  request: { params: z.object({ sessionId, toolId: z.string().min(1).max(200) }) },
  responses: { 200: json(toolOutput, 'The output'), ...ERROR_ANSWER },
});

/**
 * From the machine, which keeps whole outputs. Refuses `output_not_found` once it let go of one.
 */
export function registerReadToolOutput(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessionId: id, toolId } = context.req.valid('param');
    const { runnerId } = unwrap(await feedOf(context.env, accountId, id).readView());
    const to = { accountId, runnerId, sessionId: id };
    const question = { method: 'tool/output', params: { toolId } } as const;
    return context.json(await askRunner(context.env, to, question, toolOutput), 200);
  });
}
