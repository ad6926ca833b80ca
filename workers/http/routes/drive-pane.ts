import { createRoute, z } from '@hono/zod-openapi';
import { runnerId } from '../../../protocol/ids.ts';
import { driveRequest } from '../../../protocol/panes.ts';
import { takenOver } from '../../../protocol/takeover.ts';
import { openDatabase } from '../../db/client.ts';
import { newToken, sha256Hex } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { paneOf } from '../../lib/stubs.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('panes.drive', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/panes/drive',
  summary: 'Type into a terminal of a machine; the answer’s key proves it',
  request: { params: z.object({ runnerId }), body: jsonBody(driveRequest) },
  responses: { 200: json(takenOver, 'Yours, until you let go'), ...ERROR_ANSWER },
});

/** Refuses `terminal_driven` without `force`, and whatever the machine’s limits refuse. */
export function registerDrivePane(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId, actorId, kind } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const { target, force } = context.req.valid('json');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const key = newToken();
    const channel = kind === 'person' ? 'console' : 'cli';
    const input = { keyHash: await sha256Hex(key), force, actorId, channel };
    const { epoch } = unwrap(await paneOf(context.env, accountId, id, target).drive(input));
    return context.json({ key, epoch }, 200);
  });
}
