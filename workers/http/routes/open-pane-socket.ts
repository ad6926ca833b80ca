import { createRoute, z } from '@hono/zod-openapi';
import { runnerId } from '../../../protocol/ids.ts';
import { paneQuery } from '../../../protocol/panes.ts';
import { openDatabase } from '../../db/client.ts';
import { paneOf } from '../../lib/stubs.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { viewerRequest } from '../viewer-request.ts';

const route = createRoute({
  ...calledBy('panes.open', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/runners/{runnerId}/panes/socket',
  summary: 'The WebSocket of a machine’s terminal: its driver’s keys, everybody’s view',
  request: { params: z.object({ runnerId }), query: paneQuery },
  responses: { 101: { description: 'The socket is open; send `attach`' }, ...ERROR_ANSWER },
});

/** The machine’s own limits say whether it is shown; keys count only from whoever holds the lease. */
export function registerOpenPaneSocket(app: App): void {
  app.openapi(route, async (context) => {
    const { runnerId: id } = context.req.valid('param');
    const { target } = context.req.valid('query');
    const { accountId } = context.get('principal');
    const { request } = viewerRequest(context);
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    return paneOf(context.env, accountId, id, target).fetch(request);
  });
}
