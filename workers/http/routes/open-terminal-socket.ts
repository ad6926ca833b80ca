import { createRoute, z } from '@hono/zod-openapi';
import { sessionId } from '../../../protocol/ids.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, terminalOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { viewerRequest } from '../viewer-request.ts';

const route = createRoute({
  ...calledBy('sessions.openTerminal', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/terminal',
  summary: 'The WebSocket of a session’s terminal: its driver’s keys, everybody’s view',
  request: { params: z.object({ sessionId }) },
  responses: { 101: { description: 'The socket is open; send `attach`' }, ...ERROR_ANSWER },
});

/** Whoever may see the session may watch; keys count only from whoever holds the lease. */
export function registerOpenTerminalSocket(app: App): void {
  app.openapi(route, async (context) => {
    const { sessionId: id } = context.req.valid('param');
    const { accountId } = context.get('principal');
    const { request } = viewerRequest(context);
    unwrap(await feedOf(context.env, accountId, id).readDriver(null));
    return terminalOf(context.env, accountId, id).fetch(request);
  });
}
