import { createRoute } from '@hono/zod-openapi';
import { openPairings } from '../../../protocol/pairing.ts';
import { openDatabase } from '../../db/client.ts';
import { listPairings } from '../../runners/pair.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('pairings.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/pairings',
  summary: 'Codes that wait to be used, newest first, without the codes themselves',
  responses: { 200: json(openPairings, 'Whom each lets in, and until when'), ...ERROR_ANSWER },
});

/** Few enough to need no pages: each lasts ten minutes, and a person makes them. */
export function registerListPairings(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const items = await listPairings(openDatabase(context.env.DB), accountId, Date.now());
    return context.json({ items }, 200);
  });
}
