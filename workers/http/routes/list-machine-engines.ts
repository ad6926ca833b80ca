import { createRoute, z } from '@hono/zod-openapi';
import { machineEngines } from '../../../protocol/engines.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { lookAtEngines } from '../../engines/look.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.listEngines', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/engines',
  summary: 'How a machine stands with your own engines, and those that nobody has verified',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(machineEngines, 'Their readiness there'), ...ERROR_ANSWER },
});

/** Asks the machine: `runner_offline` at once when it is away, `runner_timeout` after the bound. */
export function registerListMachineEngines(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const database = openDatabase(context.env.DB);
    await requireRunner(database, accountId, id);
    return context.json(
      await lookAtEngines(context.env, database, { accountId, runnerId: id }),
      200,
    );
  });
}
