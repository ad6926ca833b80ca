import { createRoute } from '@hono/zod-openapi';
import { connectGithubRequest, githubChannel } from '../../../protocol/github.ts';
import { openDatabase } from '../../db/client.ts';
import { connectGithub } from '../../github/channels.ts';
import { courierOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('github.connect', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/github/channels',
  summary: 'Let issues and comments of a repository start and steer sessions',
  request: { body: jsonBody(connectGithubRequest) },
  responses: { 201: json(githubChannel, 'The connection, without its secrets'), ...ERROR_ANSWER },
});

/** Throws `github_connected`, `runner_not_found` and `brain_keys_unavailable`. */
export function registerConnectGithub(app: App): void {
  app.openapi(route, async (context) => {
    const channel = await connectGithub(
      context.env,
      openDatabase(context.env.DB),
      context.get('principal'),
      context.req.valid('json'),
      Date.now(),
    );
    await courierOf(context.env).watch();
    context.set('made', channel.channelId);
    return context.json(channel, 201);
  });
}
