import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { withdrawPairing } from '../../runners/pair.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pairings.withdraw', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/pairings/{runnerId}/withdraw',
  summary: 'Make the codes worthless that would let this machine in',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(accepted, 'They let nobody in any more'), ...ERROR_ANSWER },
});

/** Throws `pairing_not_found` where none waits: one that was used has let its machine in. */
export function registerWithdrawPairing(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    await withdrawPairing(openDatabase(context.env.DB), accountId, id, Date.now());
    return context.json({ accepted: true as const }, 200);
  });
}
