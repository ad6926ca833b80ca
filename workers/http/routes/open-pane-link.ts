import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { paneQuery } from '../../../protocol/panes.ts';
import { paneOf } from '../../lib/stubs.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER } from '../describe.ts';
import { machineRequest } from '../viewer-request.ts';

const route = createRoute({
  ...calledBy('runners.openPane', 'runner'),
  method: 'get',
  path: '/v1/runners/{runnerId}/panes/link',
  summary: 'The WebSocket on which a runner shows a terminal of its machine',
  request: { params: z.object({ runnerId }), query: paneQuery },
  responses: { 101: { description: 'The terminal may be shown' }, ...ERROR_ANSWER },
});

/** Opens with that machine’s own token alone; any other is `forbidden`. */
export function registerOpenPaneLink(app: App): void {
  app.openapi(route, async (context) => {
    const principal = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const { target } = context.req.valid('query');
    if (principal.runnerId !== id) throw new PilothouseError('forbidden', { runnerId: id });
    const request = machineRequest(context);
    return paneOf(context.env, principal.accountId, id, target).fetch(request);
  });
}
