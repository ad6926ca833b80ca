import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { githubChannelId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { removeGithub } from '../../github/channels.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('github.remove', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/github/channels/{channelId}/remove',
  summary: 'Let the issues of a repository start nothing any more, and forget its secrets',
  request: { params: z.object({ channelId: githubChannelId }) },
  responses: { 200: json(accepted, 'It is gone; its sessions go on'), ...ERROR_ANSWER },
});

/** Throws `github_channel_not_found`. */
export function registerRemoveGithub(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { channelId } = context.req.valid('param');
    await removeGithub(openDatabase(context.env.DB), accountId, channelId);
    return context.json({ accepted: true } as const, 200);
  });
}
