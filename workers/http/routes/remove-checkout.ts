import { createRoute, z } from '@hono/zod-openapi';
import { checkoutRemoved } from '../../../protocol/checkout.ts';
import { runnerId, sessionId } from '../../../protocol/ids.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { openDatabase } from '../../db/client.ts';
import { askRunner } from '../../runners/ask.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const request = { params: z.object({ runnerId, sessionId }) };
const responses = { 200: json(checkoutRemoved, 'It is gone'), ...ERROR_ANSWER };

const remove = createRoute({
  ...calledBy('checkouts.remove', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/checkouts/{sessionId}/remove',
  summary: 'Remove a checkout of which nothing would be lost',
  request,
  responses,
});

const discard = createRoute({
  ...calledBy('checkouts.discard', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/checkouts/{sessionId}/discard',
  summary: 'Remove a checkout and give up the work that is only in it; who did is on the record',
  request,
  responses,
});

/**
 * Two operations, so that the access log tells giving up work from tidying. The machine decides:
 * it refuses `checkout_in_use`, `checkout_unsaved` and `discard_not_allowed`.
 */
export function registerRemoveCheckout(app: App): void {
  for (const [route, gives] of [
    [remove, false],
    [discard, true],
  ] as const) {
    app.openapi(route, async (context) => {
      const { accountId } = context.get('principal');
      const { runnerId: id, sessionId: session } = context.req.valid('param');
      await requireRunner(openDatabase(context.env.DB), accountId, id);
      const to = { accountId, runnerId: id, sessionId: session };
      const question = {
        method: 'checkout/remove',
        params: { discard: gives },
        timeoutMs: LOOK_TIMEOUT_MS,
      } as const;
      return context.json(await askRunner(context.env, to, question, checkoutRemoved), 200);
    });
  }
}
