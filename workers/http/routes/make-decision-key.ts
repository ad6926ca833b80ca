import { createRoute } from '@hono/zod-openapi';
import { madeDecisionKey, makeDecisionKeyRequest } from '../../../protocol/decisions.ts';
import { issueDecisionKey } from '../../access/decision-keys.ts';
import { requirePersonOrCli } from '../../access/principal.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionKeys.make', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/decisions/keys',
  summary: 'Make a key with which builds post reports of decisions of one repository',
  request: { body: jsonBody(makeDecisionKeyRequest) },
  responses: { 201: json(madeDecisionKey, 'The key, its token shown this once'), ...ERROR_ANSWER },
});

/** The key posts reports of its repository: it reads nothing and makes no further keys. */
export function registerMakeDecisionKey(app: App): void {
  app.openapi(route, async (context) => {
    const made = await issueDecisionKey(
      openDatabase(context.env.DB),
      requirePersonOrCli(context.get('principal')),
      context.req.valid('json'),
      Date.now(),
    );
    context.set('made', made.key.keyId);
    return context.json(made, 201);
  });
}
