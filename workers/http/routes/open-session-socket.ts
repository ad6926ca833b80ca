import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { isCredentialLive } from '../../access/credentials.ts';
import { openDatabase } from '../../db/client.ts';
import { VIEWER_HEADER, type ViewerIdentity } from '../../lib/calls.ts';
import { feedOf } from '../../lib/stubs.ts';
import { type App, isUpgrade } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('sessions.openSocket', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/socket',
  summary: 'The WebSocket on which a session is watched',
  request: { params: z.object({ sessionId }) },
  responses: { 101: { description: 'The socket is open; send `subscribe`' }, ...ERROR_ANSWER },
});

/** Refuses `session_not_found` before the socket is open, so that a viewer gets a reason. */
export function registerOpenSessionSocket(app: App): void {
  app.openapi(route, async (context) => {
    if (!isUpgrade(context))
      throw new PilothouseError('bad_request', { detail: 'this address is a WebSocket' });
    const { sessionId: id } = context.req.valid('param');
    const { accountId, actorId, tokenHash, expiresAt } = context.get('principal');
    if (!tokenHash) throw new PilothouseError('forbidden');
    const viewer: ViewerIdentity = { credential: tokenHash, actorId, expiresAt };
    const request = new Request(context.req.raw);
    request.headers.set(VIEWER_HEADER, JSON.stringify(viewer));
    const feed = feedOf(context.env, accountId, id);
    const response = await feed.fetch(request);
    if (response.status === 404) throw new PilothouseError('session_not_found', { sessionId: id });
    // The credential may have ended after it was checked and before the feed had the socket.
    if (!(await isCredentialLive(openDatabase(context.env.DB), tokenHash, Date.now()))) {
      await feed.endViewers(tokenHash);
      throw new PilothouseError('unauthenticated');
    }
    return response;
  });
}
