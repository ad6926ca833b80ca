import { createRoute, z } from '@hono/zod-openapi';
import { issueCredential } from '../../access/credentials.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const route = createRoute({
  ...calledBy('links.make', 'host', 'cli'),
  method: 'post',
  path: '/v1/links',
  summary: 'Make a one-time sign-in link',
  description: 'The token is in the fragment, which no browser sends to a server or in a referrer.',
  request: { body: jsonBody(z.object({})) },
  responses: {
    201: json(z.object({ path: z.string(), expiresAt: z.int() }), 'The link'),
    ...ERROR_ANSWER,
  },
});

/** A link signs in whoever opens it first, while it is valid. */
export function registerMakeLink(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId } = context.get('principal');
    const nowMs = Date.now();
    const issue = { kind: 'link', name: 'sign-in link', accountId, actorId } as const;
    const { token, expiresAt } = await issueCredential(openDatabase(context.env.DB), issue, nowMs);
    return context.json({ path: `/sign-in#${token}`, expiresAt: expiresAt ?? nowMs }, 201);
  });
}
