import { createRoute } from '@hono/zod-openapi';
import { usageTurns, usageTurnsQuery } from '../../../protocol/usage-views.ts';
import { openDatabase } from '../../db/client.ts';
import { listReads } from '../../ledger/read-turns.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('usage.turns', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/usage/turns',
  summary: 'What the last turns of some sessions read, so that a growing conversation is seen',
  request: { query: usageTurnsQuery },
  responses: { 200: json(usageTurns, 'Sessions with their turns in order'), ...ERROR_ANSWER },
});

/** One answer for all sessions of a page. */
export function registerListUsageTurns(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { sessions } = context.req.valid('query');
    const items = await listReads(openDatabase(context.env.DB), accountId, sessions);
    return context.json({ items }, 200);
  });
}
