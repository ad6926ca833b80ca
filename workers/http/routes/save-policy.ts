import { createRoute } from '@hono/zod-openapi';
import { policyVersion, savePolicyRequest } from '../../../protocol/policy-http.ts';
import { requirePersonOrCli } from '../../access/principal.ts';
import { openDatabase } from '../../db/client.ts';
import { savePolicy } from '../../policy/save.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('policy.save', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/policy',
  summary: 'Save what a scope says of the merge policy, as its next version',
  request: { body: jsonBody(savePolicyRequest) },
  responses: { 201: json(policyVersion, 'The version as it was saved'), ...ERROR_ANSWER },
});

/** Sessions that run keep the policy that they were launched with. Refuses `policy_changed`. */
export function registerSavePolicy(app: App): void {
  app.openapi(route, async (context) => {
    const saver = requirePersonOrCli(context.get('principal'));
    const database = openDatabase(context.env.DB);
    return context.json(
      await savePolicy(database, saver, context.req.valid('json'), Date.now()),
      201,
    );
  });
}
