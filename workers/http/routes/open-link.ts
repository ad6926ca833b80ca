import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { relayOf } from '../../lib/stubs.ts';
import { type App, isUpgrade } from '../context.ts';
import { calledBy, ERROR_ANSWER } from '../describe.ts';

const route = createRoute({
  ...calledBy('runners.openLink', 'runner'),
  method: 'get',
  path: '/v1/runners/{runnerId}/link',
  summary: 'The WebSocket of a runner, opened with its own token',
  request: { params: z.object({ runnerId }) },
  responses: { 101: { description: 'The link is open' }, ...ERROR_ANSWER },
});

/** Opens a machine’s socket with that machine’s own token; any other is `forbidden`. */
export function registerOpenLink(app: App): void {
  app.openapi(route, (context) => {
    const principal = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    if (principal.runnerId !== id) throw new PilothouseError('forbidden', { runnerId: id });
    if (!isUpgrade(context))
      throw new PilothouseError('bad_request', { detail: 'this address is a WebSocket' });
    return relayOf(context.env, principal.accountId, id).fetch(context.req.raw);
  });
}
