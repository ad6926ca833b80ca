import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { decisionKeyId } from '../../../protocol/ids.ts';
import { revokeDecisionKey } from '../../access/decision-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionKeys.revoke', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/decisions/keys/{keyId}/revoke',
  summary: 'Make a key of a build worthless, for good',
  request: { params: z.object({ keyId: decisionKeyId }) },
  responses: { 200: json(accepted, 'It is revoked'), ...ERROR_ANSWER },
});

/** Holds from the next request on. Throws `decision_key_not_found`, also for another account’s. */
export function registerRevokeDecisionKey(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { keyId } = context.req.valid('param');
    await revokeDecisionKey(openDatabase(context.env.DB), accountId, keyId, Date.now());
    return context.json({ accepted: true as const }, 200);
  });
}
