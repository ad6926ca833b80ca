import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { isCredentialLive } from '../../access/credentials.ts';
import { openDatabase } from '../../db/client.ts';
import { feedOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { viewerRequest } from '../viewer-request.ts';

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
    const { sessionId: id } = context.req.valid('param');
    const { accountId } = context.get('principal');
    const { request, credential } = viewerRequest(context);
    const feed = feedOf(context.env, accountId, id);
    const response = await feed.fetch(request);
    if (response.status === 404) throw new PilothouseError('session_not_found', { sessionId: id });
    // The credential may have ended after it was checked and before the feed had the socket.
    if (!(await isCredentialLive(openDatabase(context.env.DB), credential, Date.now()))) {
      await feed.endViewers(credential);
      throw new PilothouseError('unauthenticated');
    }
    return response;
  });
}
