import { createRoute } from '@hono/zod-openapi';
import { approvalPage, approvalsQuery } from '../../../protocol/audit.ts';
import { openDatabase } from '../../db/client.ts';
import { listApprovals } from '../../ledger/read-approvals.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('approvals.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/approvals',
  summary: 'What engines asked for, who answered from where, and what became of it, newest first',
  request: { query: approvalsQuery },
  responses: { 200: json(approvalPage, 'A page of approvals'), ...ERROR_ANSWER },
});

/** From the ledger in D1. The text of a request is in its session alone. */
export function registerListApprovals(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    return context.json(await listApprovals(openDatabase(context.env.DB), accountId, query), 200);
  });
}
