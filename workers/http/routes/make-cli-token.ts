import { createRoute, z } from '@hono/zod-openapi';
import { issueCredential } from '../../access/credentials.ts';
import { openDatabase } from '../../db/client.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const route = createRoute({
  ...calledBy('cliTokens.make', 'host'),
  method: 'post',
  path: '/v1/cli-tokens',
  summary: 'Make a token for the command line',
  request: { body: jsonBody(z.object({ name: z.string().min(1).max(100) })) },
  responses: {
    201: json(z.object({ token: z.string() }), 'The token, shown this once'),
    ...ERROR_ANSWER,
  },
});

/** For the host alone: a token must not make further tokens. */
export function registerMakeCliToken(app: App): void {
  app.openapi(route, async (context) => {
    const { name } = context.req.valid('json');
    const { accountId, actorId } = context.get('principal');
    const issue = { kind: 'cli', name, accountId, actorId } as const;
    const { token } = await issueCredential(openDatabase(context.env.DB), issue, Date.now());
    return context.json({ token }, 201);
  });
}
