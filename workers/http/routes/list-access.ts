import { createRoute } from '@hono/zod-openapi';
import { accessPage, accessQuery } from '../../../protocol/audit.ts';
import { openDatabase } from '../../db/client.ts';
import { listAccess } from '../../access/read-log.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('access.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/access',
  summary: 'Who did what to what, newest first',
  request: { query: accessQuery },
  responses: { 200: json(accessPage, 'A page of the access log'), ...ERROR_ANSWER },
});

/** Reading it is itself a line of it. */
export function registerListAccess(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    return context.json(await listAccess(openDatabase(context.env.DB), accountId, query), 200);
  });
}
