import { createRoute, z } from '@hono/zod-openapi';
import { pushDeviceId } from '../../../../protocol/ids.ts';
import { deviceChoices, pushDevice } from '../../../../protocol/push.ts';
import { openDatabase } from '../../../db/client.ts';
import { changeDevice } from '../../../push/devices.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const route = createRoute({
  ...calledBy('push.change', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/devices/{deviceId}',
  summary: 'Choose what a browser is told of, and in which hours it is left alone',
  request: { params: z.object({ deviceId: pushDeviceId }), body: jsonBody(deviceChoices) },
  responses: { 200: json(pushDevice, 'The browser as it is listed'), ...ERROR_ANSWER },
});

/** Holds for the next message. Throws `push_device_not_found`, also for another account’s. */
export function registerChangeDevice(app: App): void {
  app.openapi(route, async (context) => {
    const changed = await changeDevice(
      openDatabase(context.env.DB),
      context.get('principal').accountId,
      context.req.valid('param').deviceId,
      context.req.valid('json'),
    );
    return context.json(changed, 200);
  });
}
