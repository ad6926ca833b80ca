import { createRoute, z } from '@hono/zod-openapi';
import { directoryListing } from '../../../protocol/command.ts';
import { pathQuery } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.listDirectories', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/directories',
  summary: 'Directories on the machine, as far as its own limits show them',
  request: { params: z.object({ runnerId }), query: pathQuery },
  responses: { 200: json(directoryListing, 'The directories'), ...ERROR_ANSWER },
});

/**
 * The machine shows no more than its own limits allow. Refuses `runner_offline` and
 * `runner_timeout`.
 */
export function registerListDirectories(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const { path, limit } = context.req.valid('query');
    const question = { method: 'workspace/list', params: { path, limit } } as const;
    return context.json(
      await askRunner(context.env, { accountId, runnerId: id }, question, directoryListing),
      200,
    );
  });
}
