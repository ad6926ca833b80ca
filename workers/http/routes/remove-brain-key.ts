import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { brainKeyId } from '../../../protocol/ids.ts';
import { removeBrainKey } from '../../access/brain-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('brainKeys.remove', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/brain-keys/{keyId}/remove',
  summary: 'Forget a key of a model API; a Pilot that decides with it asks a person',
  request: { params: z.object({ keyId: brainKeyId }) },
  responses: { 200: json(accepted, 'It is gone'), ...ERROR_ANSWER },
});

/** Holds from the next decision on. Throws `brain_key_not_found`, also for another account’s. */
export function registerRemoveBrainKey(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { keyId } = context.req.valid('param');
    await removeBrainKey(openDatabase(context.env.DB), accountId, keyId);
    return context.json({ accepted: true as const }, 200);
  });
}
