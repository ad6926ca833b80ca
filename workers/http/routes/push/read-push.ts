import { createRoute } from '@hono/zod-openapi';
import { pushView } from '../../../../protocol/push-view.ts';
import { openDatabase } from '../../../db/client.ts';
import { bellOf } from '../../../lib/stubs.ts';
import { listDevices, toDevice } from '../../../push/devices.ts';
import { readServerKeys } from '../../../push/keys.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('push.read', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/push',
  summary: 'Who is told what needs a person, and the key that a browser subscribes with',
  responses: { 200: json(pushView, 'The key, the browsers and the webhook'), ...ERROR_ANSWER },
});

/** The first to ask makes the key. Throws `push_unavailable`. */
export function registerReadPush(app: App): void {
  app.openapi(route, async (context) => {
    const principal = context.get('principal');
    const database = openDatabase(context.env.DB);
    const { publicKey } = await readServerKeys(context.env, database, principal, Date.now());
    const { accountId } = principal;
    const devices = await listDevices(database, accountId, Date.now());
    const bell = bellOf(context.env, accountId);
    const webhook = await bell.readWebhook();
    const digest = await bell.readDigestChoice();
    return context.json({ publicKey, devices: devices.map(toDevice), webhook, digest }, 200);
  });
}
