import { createRoute, z } from '@hono/zod-openapi';
import { runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../db/client.ts';
import { registerRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../describe.ts';

const body = z.object({ runnerId: runnerId.optional(), name: z.string().min(1).max(100) });

const route = createRoute({
  ...calledBy('runners.register', 'host', 'cli'),
  method: 'post',
  path: '/v1/runners',
  summary: 'Register a machine, or give a registered one a new token',
  description:
    'With the id of a registered machine, its earlier tokens stop working and its link is ended.',
  request: { body: jsonBody(body) },
  responses: {
    201: json(z.object({ runnerId, token: z.string() }), 'The token, shown this once'),
    ...ERROR_ANSWER,
  },
});

/**
 * Ends the earlier tokens and the link of a known id. Another account’s id is `runner_not_found`.
 */
export function registerRegisterRunner(app: App): void {
  app.openapi(route, async (context) => {
    const { runnerId: known, name } = context.req.valid('json');
    const database = openDatabase(context.env.DB);
    const input = { runnerId: known, name };
    const registered = await registerRunner(
      context.env,
      database,
      context.get('principal'),
      input,
      Date.now(),
    );
    return context.json(registered, 201);
  });
}
