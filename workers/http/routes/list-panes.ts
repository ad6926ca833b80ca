import { createRoute, z } from '@hono/zod-openapi';
import { runnerId } from '../../../protocol/ids.ts';
import { paneList } from '../../../protocol/panes.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('panes.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/panes',
  summary: 'List the terminals of a machine that its own limits let persons watch',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(paneList, 'Its terminals as they are now'), ...ERROR_ANSWER },
});

/** A read of the machine, which shows what its limits open and nothing else. */
export function registerListPanes(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const question = { method: 'terminal/panes', params: {} } as const;
    return context.json(
      await askRunner(context.env, { accountId, runnerId: id }, question, paneList),
      200,
    );
  });
}
