import { createRoute, z } from '@hono/zod-openapi';
import { runnerSummary } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { readRunner } from '../../runners/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}',
  summary: 'One machine',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(runnerSummary, 'The machine'), ...ERROR_ANSWER },
});

/** Presence is computed now. Refuses `runner_not_found`. */
export function registerReadRunner(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    return context.json(
      await readRunner(context.env, openDatabase(context.env.DB), accountId, id),
      200,
    );
  });
}
