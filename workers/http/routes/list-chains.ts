import { createRoute } from '@hono/zod-openapi';
import { chainPage, chainQuery } from '../../../protocol/chain.ts';
import { openDatabase } from '../../db/client.ts';
import { listChains } from '../../ledger/list-chains.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('chains.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/chains',
  summary: 'Whether the ledgers of each session are what was recorded, compared with its chain',
  request: { query: chainQuery },
  responses: { 200: json(chainPage, 'A page of sessions, by their ids'), ...ERROR_ANSWER },
});

/** Reads each session's record whole and asks its feed where its chain ends. */
export function registerListChains(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const page = await listChains(
      openDatabase(context.env.DB),
      accountId,
      context.req.valid('query'),
      (id) => feedOf(context.env, accountId, id).readChainEnds(),
    );
    return context.json(page, 200);
  });
}
