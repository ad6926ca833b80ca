import { createRoute, z } from '@hono/zod-openapi';
import { runnerId } from '../../../protocol/ids.ts';
import { revokedRunner } from '../../../protocol/pairing.ts';
import { openDatabase } from '../../db/client.ts';
import { revokeRunner } from '../../runners/revoke.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.revoke', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/revoke',
  summary: 'Take a machine’s access back and end its sessions',
  description:
    'Its runner ends the engines that it runs, as soon as it hears of it. What is on the machine stays there.',
  request: { params: z.object({ runnerId }) },
  responses: { 200: json(revokedRunner, 'It may not come any more'), ...ERROR_ANSWER },
});

/** Holds from this moment on. Throws `runner_not_found`, also for another account’s machine. */
export function registerRevokeRunner(app: App): void {
  app.openapi(route, async (context) => {
    const { runnerId: id } = context.req.valid('param');
    const database = openDatabase(context.env.DB);
    const ended = await revokeRunner(
      context.env,
      database,
      context.get('principal'),
      id,
      Date.now(),
    );
    return context.json({ sessions: ended }, 200);
  });
}
