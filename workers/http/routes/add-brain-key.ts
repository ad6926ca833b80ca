import { createRoute } from '@hono/zod-openapi';
import { addBrainKeyRequest, brainKey } from '../../../protocol/brain-keys.ts';
import { addBrainKey } from '../../access/brain-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('brainKeys.add', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/brain-keys',
  summary: 'Keep a key of a model API, encrypted, with which Pilots may decide',
  request: { body: jsonBody(addBrainKeyRequest) },
  responses: {
    201: json(brainKey, 'The key as it is listed, without its secret'),
    ...ERROR_ANSWER,
  },
});

/** The secret is in no answer, this one included. Throws `brain_keys_unavailable`. */
export function registerAddBrainKey(app: App): void {
  app.openapi(route, async (context) => {
    const added = await addBrainKey(
      context.env,
      openDatabase(context.env.DB),
      context.get('principal'),
      context.req.valid('json'),
      Date.now(),
    );
    context.set('made', added.keyId);
    return context.json(added, 201);
  });
}
