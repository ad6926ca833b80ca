import { createRoute } from '@hono/zod-openapi';
import { githubChannelList } from '../../../protocol/github.ts';
import { openDatabase } from '../../db/client.ts';
import { listGithub } from '../../github/channels.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('github.list', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/github/channels',
  summary: 'Repositories whose issues start sessions, newest first, without their secrets',
  responses: { 200: json(githubChannelList, 'The connections'), ...ERROR_ANSWER },
});

/** Of the caller’s account alone. */
export function registerListGithub(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const items = await listGithub(openDatabase(context.env.DB), accountId);
    return context.json({ items }, 200);
  });
}
