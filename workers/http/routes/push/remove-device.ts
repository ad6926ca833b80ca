import { createRoute, z } from '@hono/zod-openapi';
import { accepted } from '../../../../protocol/http.ts';
import { pushDeviceId } from '../../../../protocol/ids.ts';
import { openDatabase } from '../../../db/client.ts';
import { removeDevice } from '../../../push/devices.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('push.remove', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/devices/{deviceId}/remove',
  summary: 'Tell a browser nothing any more, and forget where it is told',
  request: { params: z.object({ deviceId: pushDeviceId }) },
  responses: { 200: json(accepted, 'It is gone'), ...ERROR_ANSWER },
});

/** Throws `push_device_not_found`, also for another account’s. */
export function registerRemoveDevice(app: App): void {
  app.openapi(route, async (context) => {
    const { accountId } = context.get('principal');
    const { deviceId } = context.req.valid('param');
    await removeDevice(openDatabase(context.env.DB), accountId, deviceId);
    return context.json({ accepted: true as const }, 200);
  });
}
