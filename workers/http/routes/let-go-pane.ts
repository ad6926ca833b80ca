import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { letGoRequest } from '../../../protocol/panes.ts';
import { openDatabase } from '../../db/client.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { paneOf } from '../../lib/stubs.ts';
import { requireRunner } from '../../runners/register.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';

const route = createRoute({
  ...calledBy('panes.letGo', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/runners/{runnerId}/panes/let-go',
  summary: 'Stop typing into a terminal of a machine',
  request: { params: z.object({ runnerId }), body: jsonBody(letGoRequest) },
  responses: { 202: json(accepted, 'Nobody types into it now'), ...ERROR_ANSWER },
});

/** Refuses `terminal_not_driven`, and `terminal_driven` without the driver’s key or `force`. */
export function registerLetGoPane(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { runnerId: id } = context.req.valid('param');
    const { target, key, force } = context.req.valid('json');
    await requireRunner(openDatabase(context.env.DB), accountId, id);
    const keyHash = key === null ? null : await sha256Hex(key);
    unwrap(await paneOf(context.env, accountId, id, target).letGo({ keyHash, force }));
    return context.json({ accepted: true as const }, 202);
  });
}
