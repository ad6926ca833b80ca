import { createRoute, z } from '@hono/zod-openapi';
import { githubVerdict } from '../../../protocol/github.ts';
import { githubChannelId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { takeDelivery } from '../../github/webhook.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json } from '../describe.ts';

const route = createRoute({
  ...calledBy('github.take'),
  method: 'post',
  path: '/v1/github/webhooks/{channelId}',
  summary: 'What GitHub sends: its signature says whether it is from there',
  request: { params: z.object({ channelId: githubChannelId }) },
  responses: { 200: json(githubVerdict, 'What became of it, and why'), ...ERROR_ANSWER },
});

/** Nothing is read of a delivery before its signature is right. Throws `github_webhook_refused`. */
export function registerTakeGithub(app: App): void {
  app.openapi(route, async (context) => {
    const { channelId } = context.req.valid('param');
    const verdict = await takeDelivery(
      { env: context.env, database: openDatabase(context.env.DB), nowMs: Date.now() },
      channelId,
      {
        body: await context.req.text(),
        signature: context.req.header('x-hub-signature-256') ?? '',
        name: context.req.header('x-github-event') ?? '',
        deliveryId: context.req.header('x-github-delivery') ?? null,
      },
    );
    return context.json(verdict, 200);
  });
}
