import { createRoute } from '@hono/zod-openapi';
import { brainKeyList } from '../../../protocol/brain-keys.ts';
import { listBrainKeys } from '../../access/brain-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('brainKeys.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/brain-keys',
  summary: 'Keys of model APIs, newest first, without their secrets',
  responses: { 200: json(brainKeyList, 'The keys'), ...ERROR_ANSWER },
});

/** Of the caller’s account alone. */
export function registerListBrainKeys(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const items = await listBrainKeys(openDatabase(context.env.DB), accountId);
    return context.json({ items }, 200);
  });
}
