import { createRoute, z } from '@hono/zod-openapi';
import { workspaceDescription } from '../../../protocol/command.ts';
import { pathQuery } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.describeWorkspace', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/workspace',
  summary: 'What a launch would find in a directory of the machine',
  request: { params: z.object({ runnerId }), query: pathQuery },
  responses: { 200: json(workspaceDescription, 'The directory'), ...ERROR_ANSWER },
});

/**
 * Asks the machine: `runner_offline` at once when it is away, `runner_timeout` after the bound.
 */
export function registerDescribeWorkspace(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const { path } = context.req.valid('query');
    const question = { method: 'workspace/describe', params: { path } } as const;
    return context.json(
      await askRunner(context.env, { accountId, runnerId: id }, question, workspaceDescription),
      200,
    );
  });
}
