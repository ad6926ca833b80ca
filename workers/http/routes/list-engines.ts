import { createRoute } from '@hono/zod-openapi';
import { engineList } from '../../../protocol/engines.ts';
import { openDatabase } from '../../db/client.ts';
import { listEngines } from '../../engines/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('engines.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/engines',
  summary: 'Engines: those that come with Pilothouse, then your own',
  responses: { 200: json(engineList, 'All of them'), ...ERROR_ANSWER },
});

/** A bounded list: an account keeps so many of its own and no more. */
export function registerListEngines(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const items = await listEngines(openDatabase(context.env.DB), accountId);
    return context.json({ items }, 200);
  });
}
