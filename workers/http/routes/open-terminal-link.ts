import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { runnerId, sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, terminalOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER } from '../describe.ts';
import { machineRequest } from '../viewer-request.ts';

const route = createRoute({
  ...calledBy('runners.openTerminal', 'runner'),
  method: 'get',
  path: '/v1/runners/{runnerId}/terminals/{sessionId}',
  summary: 'The WebSocket on which a runner shows the terminal of one of its sessions',
  request: { params: z.object({ runnerId, sessionId }) },
  responses: { 101: { description: 'The terminal may be shown' }, ...ERROR_ANSWER },
});

/** Opens with that machine’s own token, and for its own sessions alone; any other is `forbidden`. */
export function registerOpenTerminalLink(app: App): void {
  app.openapi(route, async (context) => {
    const principal = context.get('principal');
    const { runnerId: runner, sessionId: session } = context.req.valid('param');
    if (principal.runnerId !== runner) throw new PilothouseError('forbidden', { runnerId: runner });
    const request = machineRequest(context);
    const { accountId } = principal;
    const owner = unwrap(await feedOf(context.env, accountId, session).readDriver(null)).runnerId;
    if (owner !== runner) throw new PilothouseError('forbidden', { sessionId: session });
    return terminalOf(context.env, accountId, session).fetch(request);
  });
}
