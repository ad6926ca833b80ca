import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { MACHINE_HEADER, VIEWER_HEADER, type ViewerIdentity } from '../../lib/calls.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf, terminalOf } from '../../lib/stubs.ts';
import { type App, isUpgrade } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

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
    if (!isUpgrade(context))
      throw new PilothouseError('bad_request', { detail: 'this address is a WebSocket' });
    const { sessionId: id } = context.req.valid('param');
    const { accountId, actorId, tokenHash, expiresAt } = context.get('principal');
    if (!tokenHash) throw new PilothouseError('forbidden');
    unwrap(await feedOf(context.env, accountId, id).readDriver(null));
    const viewer: ViewerIdentity = { credential: tokenHash, actorId, expiresAt };
    const request = new Request(context.req.raw);
    request.headers.delete(MACHINE_HEADER);
    request.headers.set(VIEWER_HEADER, JSON.stringify(viewer));
    return terminalOf(context.env, accountId, id).fetch(request);
  });
}
