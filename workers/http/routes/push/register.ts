import type { App } from '../../context.ts';
import { registerChangeDevice } from './change-device.ts';
import { registerReadDigest, registerSaveDigest } from './digest.ts';
import { registerReadPush } from './read-push.ts';
import { registerRemoveDevice } from './remove-device.ts';
import { registerSubscribe } from './subscribe.ts';
import {
  registerChangeWebhook,
  registerRemoveWebhook,
  registerSetWebhook,
  registerTestWebhook,
} from './webhook.ts';

/** What has to do with who is told while no page is open. */
export function registerPush(app: App): void {
  registerReadPush(app);
  registerSubscribe(app);
  registerRemoveDevice(app);
  registerChangeDevice(app);
  registerSaveDigest(app);
  registerReadDigest(app);
  registerSetWebhook(app);
  registerChangeWebhook(app);
  registerTestWebhook(app);
  registerRemoveWebhook(app);
}
