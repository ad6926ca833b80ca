import { createRoute } from '@hono/zod-openapi';
import { claimedPairing, claimPairingRequest } from '../../../protocol/pairing.ts';
import { appendAccess } from '../../access/log.ts';
import { openDatabase } from '../../db/client.ts';
import { claimPairing } from '../../runners/pair.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const PATH = '/v1/pairings/claim';

const route = createRoute({
  ...calledBy('pairings.claim'),
  method: 'post',
  path: PATH,
  summary: 'Exchange a pairing code for the token of a machine',
  request: { body: jsonBody(claimPairingRequest) },
  responses: {
    201: json(claimedPairing, 'Who it is, and its token, shown this once'),
    ...ERROR_ANSWER,
  },
});

/** Of many that bring one code at the same moment, one gets in: the others get `pairing_used`. */
export function registerClaimPairing(app: App): void {
  app.openapi(route, async (context) => {
    const database = openDatabase(context.env.DB);
    const { code, name, runnerId: known } = context.req.valid('json');
    const nowMs = Date.now();
    const claim = { code, name, known };
    const { principal, ...claimed } = await claimPairing(context.env, database, claim, nowMs);
    const access = { operation: 'pairings.claim', target: PATH, status: 201, errorCode: null };
    const requestId = context.get('requestId');
    await appendAccess(database, principal, { ...access, requestId }, nowMs);
    return context.json(claimed, 201);
  });
}
