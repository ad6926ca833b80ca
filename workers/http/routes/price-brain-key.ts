import { createRoute, z } from '@hono/zod-openapi';
import { brainKey, priceBrainKeyRequest } from '../../../protocol/brain-keys.ts';
import { brainKeyId } from '../../../protocol/ids.ts';
import { priceBrainKey } from '../../access/brain-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('brainKeys.price', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/brain-keys/{keyId}/price',
  summary: 'Say what the models of a key cost, or that their list prices hold',
  request: { params: z.object({ keyId: brainKeyId }), body: jsonBody(priceBrainKeyRequest) },
  responses: { 200: json(brainKey, 'The key as it is listed'), ...ERROR_ANSWER },
});

/** Holds from the next call on. Throws `brain_key_not_found`, also for another account’s. */
export function registerPriceBrainKey(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { keyId } = context.req.valid('param');
    const { price } = context.req.valid('json');
    const priced = await priceBrainKey(openDatabase(context.env.DB), accountId, keyId, price);
    return context.json(priced, 200);
  });
}
