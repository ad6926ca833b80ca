import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accepted } from '../../protocol/http.ts';
import {
  type DeviceChoices,
  type PushChoices,
  pushDevice,
  type subscribeRequest,
} from '../../protocol/push.ts';
import { type DigestChoice, digestView, saveDigestRequest } from '../../protocol/digest.ts';
import { pushView } from '../../protocol/push-view.ts';
import { madeWebhook, type SetWebhookRequest, webhookView } from '../../protocol/webhook.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

export const PUSH_KEY = ['push'] as const;

/** The browsers that are told, and the key that this one subscribes with. */
export const pushQuery = queryOptions({
  queryKey: PUSH_KEY,
  queryFn: ({ signal }) => read(pushView, api.push, { signal }),
});

export const subscribe = (request: z.input<typeof subscribeRequest>) =>
  send(pushDevice, api.pushDevices, request);

export const changeDevice = (deviceId: string, choices: DeviceChoices) =>
  send(pushDevice, api.pushDevice(deviceId), choices);

export const removeDevice = (deviceId: string) => send(accepted, api.removePushDevice(deviceId));

export const setWebhook = (request: SetWebhookRequest) =>
  send(madeWebhook, api.pushWebhook, request);

export const changeWebhook = (choices: PushChoices) =>
  send(webhookView, api.changePushWebhook, choices);

export const testWebhook = () => send(webhookView, api.testPushWebhook);

export const removeWebhook = () => send(accepted, api.removePushWebhook);

/** The last digest, and when one comes. */
export const digestQuery = queryOptions({
  queryKey: [...PUSH_KEY, 'digest'],
  queryFn: ({ signal }) => read(digestView, api.pushDigest, { signal }),
});

export const saveDigest = (digest: DigestChoice | null) =>
  send(saveDigestRequest, api.pushDigest, { digest });
