import { createRoute } from '@hono/zod-openapi';
import { engineParams } from '../../../protocol/engines.ts';
import { accepted } from '../../../protocol/http.ts';
import { requirePersonOrCli } from '../../access/principal.ts';
import { openDatabase } from '../../db/client.ts';
import { removeEngine } from '../../engines/save.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('engines.remove', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/engines/{engineId}/remove',
  summary: 'Remove an engine of your own; sessions under way keep theirs',
  request: { params: engineParams },
  responses: { 200: json(accepted, 'It is removed'), ...ERROR_ANSWER },
});

/** Its versions stay. Throws `engine_preset_not_found`, also for another account’s. */
export function registerRemoveEngine(app: App): void {
  app.openapi(route, async (context) => {
    const saver = requirePersonOrCli(context.get('principal'));
    const { engineId } = context.req.valid('param');
    await removeEngine(openDatabase(context.env.DB), saver, engineId, Date.now());
    return context.json({ accepted: true as const }, 200);
  });
}
