import { createRoute } from '@hono/zod-openapi';
import { pushDevice, subscribeRequest } from '../../../../protocol/push.ts';
import { openDatabase } from '../../../db/client.ts';
import { addDevice } from '../../../push/devices.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody } from '../../describe.ts';

const route = createRoute({
  ...calledBy('push.subscribe', 'person'),
  method: 'post',
  path: '/v1/push/devices',
  summary: 'Tell this browser what needs a person, while it is signed in',
  request: { body: jsonBody(subscribeRequest) },
  responses: { 201: json(pushDevice, 'The browser as it is listed'), ...ERROR_ANSWER },
});

/** The same browser again changes its choices. Throws `push_unavailable`. */
export function registerSubscribe(app: App): void {
  app.openapi(route, async (context) => {
    const added = await addDevice(
      context.env,
      openDatabase(context.env.DB),
      context.get('principal'),
      context.req.valid('json'),
      Date.now(),
    );
    return context.json(added, 201);
  });
}
