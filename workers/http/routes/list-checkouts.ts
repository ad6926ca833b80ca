import { createRoute, z } from '@hono/zod-openapi';
import { checkoutPage } from '../../../protocol/checkout.ts';
import { checkoutQuery } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('checkouts.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/checkouts',
  summary: 'List the checkouts on a machine, and what removing each would lose',
  request: { params: z.object({ runnerId }), query: checkoutQuery },
  responses: { 200: json(checkoutPage, 'A page of its checkouts'), ...ERROR_ANSWER },
});

/** The machine looks into each of them; a page is short when that takes long. */
export function registerListCheckouts(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const { cursor = null, limit } = context.req.valid('query');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const to = { accountId, runnerId: id };
    const question = {
      method: 'checkout/list',
      params: { cursor, limit },
      timeoutMs: LOOK_TIMEOUT_MS,
    } as const;
    return context.json(await askRunner(context.env, to, question, checkoutPage), 200);
  });
}
