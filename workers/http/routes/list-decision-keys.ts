import { createRoute } from '@hono/zod-openapi';
import { decisionKeyPage, decisionKeysQuery } from '../../../protocol/decisions.ts';
import { listDecisionKeys } from '../../access/decision-keys.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisionKeys.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/decisions/keys',
  summary: 'Keys of builds, newest first, without their secrets',
  request: { query: decisionKeysQuery },
  responses: { 200: json(decisionKeyPage, 'A page of keys'), ...ERROR_ANSWER },
});

/** Revoked keys stay in the list: who could post, and until when, is part of what is known. */
export function registerListDecisionKeys(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(
      await listDecisionKeys(openDatabase(context.env.DB), accountId, context.req.valid('query')),
      200,
    );
  });
}
