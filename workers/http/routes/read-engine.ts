import { createRoute } from '@hono/zod-openapi';
import { engineDetail, engineParams } from '../../../protocol/engines.ts';
import { openDatabase } from '../../db/client.ts';
import { readEngine } from '../../engines/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('engines.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/engines/{engineId}',
  summary: 'An engine with its versions, the newest first',
  request: { params: engineParams },
  responses: { 200: json(engineDetail, 'The engine'), ...ERROR_ANSWER },
});

/** Throws `engine_preset_not_found`, also for another account’s. */
export function registerReadEngine(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { engineId } = context.req.valid('param');
    return context.json(await readEngine(openDatabase(context.env.DB), accountId, engineId), 200);
  });
}
