import { createRoute } from '@hono/zod-openapi';
import { policyHistory, policyQuery } from '../../../protocol/policy-http.ts';
import { openDatabase } from '../../db/client.ts';
import { listPolicyVersions } from '../../policy/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('policy.history', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/policy/versions',
  summary: 'What one scope of the merge policy said, the newest first',
  request: { query: policyQuery },
  responses: { 200: json(policyHistory, 'The last 100 versions'), ...ERROR_ANSWER },
});

/** Of the account, or of exactly the directory that is named. Throws `policy_unreadable`. */
export function registerListPolicyVersions(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId, directory } = context.req.valid('query');
    const scope =
      runnerId && directory
        ? { kind: 'repository' as const, runnerId, directory }
        : { kind: 'account' as const };
    const database = openDatabase(context.env.DB);
    return context.json({ items: await listPolicyVersions(database, accountId, scope) }, 200);
  });
}
