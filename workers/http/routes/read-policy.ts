import { createRoute } from '@hono/zod-openapi';
import { policyDetail, policyQuery } from '../../../protocol/policy-http.ts';
import { openDatabase } from '../../db/client.ts';
import { readPolicy } from '../../policy/read.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('policy.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/policy',
  summary: 'The merge policy that holds for launches, with what each scope says',
  request: { query: policyQuery },
  responses: {
    200: json(policyDetail, 'The policy, before a machine’s own limits'),
    ...ERROR_ANSWER,
  },
});

/** Throws `policy_unreadable`. */
export function registerReadPolicy(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const query = context.req.valid('query');
    return context.json(await readPolicy(openDatabase(context.env.DB), accountId, query), 200);
  });
}
