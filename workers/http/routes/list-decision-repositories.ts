import { createRoute } from '@hono/zod-openapi';
import { repositoriesQuery, repositoryPage } from '../../../protocol/decisions.ts';
import { openDatabase } from '../../db/client.ts';
import { listRepositories } from '../../decisions/list-repositories.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('decisions.listRepositories', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/decisions/repositories',
  summary: 'Repositories with decision records, each with the last result of its branches',
  request: { query: repositoriesQuery },
  responses: { 200: json(repositoryPage, 'A page of repositories'), ...ERROR_ANSWER },
});

/** A repository with a live key and no report is in it too: it waits for its first one. */
export function registerListDecisionRepositories(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    return context.json(
      await listRepositories(openDatabase(context.env.DB), accountId, context.req.valid('query')),
      200,
    );
  });
}
