import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { PUSH_KINDS, type PushDevice } from '../../protocol/push.ts';
import { pushQuery, subscribe } from '../api/push.ts';
import { registerWorker } from '../lib/service-worker.ts';
import { readStored, writeStored } from '../lib/storage.ts';

/** Where it is remembered which of the devices this browser is. */
const KEY = 'push-device';

/** Which of the devices this browser is; null while it is none. */
export const readThisDevice = (): string | null => readStored(KEY, z.string());

/**
 * This browser as the server tells it now; null where it tells it nothing. What is remembered here
 * says less: a browser is taken off from elsewhere, with its sign-in, and by its push service.
 */
export async function findThisDevice(client: QueryClient): Promise<PushDevice | null> {
  const mine = readThisDevice();
  if (mine === null) return null;
  try {
    const { devices } = await client.fetchQuery({ ...pushQuery, staleTime: 0 });
    const device = devices.find(({ deviceId }) => deviceId === mine);
    // It may have been turned on again while the server was asked.
    if (!device && readThisDevice() === mine) writeStored(KEY, null);
    return device ?? null;
  } catch {
    // Told twice is better than told by nobody.
    return null;
  }
}

/** The browser would not, and why. */
export class PushRefused extends Error {}

/** Why this browser cannot be told while no page is open; null where it can. */
export function whyNotPush(): string | null {
  if (!globalThis.isSecureContext || !('serviceWorker' in navigator))
    return 'A browser is told by https or on this machine alone. Open the console at such an address.';
  if (!('PushManager' in globalThis))
    return 'This browser takes no messages while its page is closed. On an iPhone, add the console to the home screen first.';
  if (Notification.permission === 'denied')
    return 'The browser refuses notifications of this console. Allow them in its settings.';
  return null;
}

/** Subscribes this browser, which may ask its person: call it from a click alone. */
export async function turnPushOn(publicKey: string): Promise<PushDevice> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushRefused(
      'The browser was not allowed to show notifications. Allow them, then try again.',
    );
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await makeSubscription(pushManager, publicKey);
  const { endpoint, keys = {} } = made.toJSON();
  const device = await subscribe({
    endpoint: endpoint ?? '',
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    name: nameOf(navigator.userAgent),
    kinds: [...PUSH_KINDS],
    quiet: null,
    details: false,
  });
  writeStored(KEY, device.deviceId);
  return device;
}

/** Ends the subscription in the browser itself; the server is told apart. */
export async function turnPushOff(): Promise<void> {
  writeStored(KEY, null);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

async function makeSubscription(manager: PushManager, publicKey: string) {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await manager.subscribe(options);
  } catch (fault) {
    const old = await manager.getSubscription();
    if (!old)
      throw new PushRefused(
        'The browser reached no push service. Look whether this device is online, and whether the browser’s settings allow push messages.',
        { cause: fault },
      );
    // It was made for another key of the server: only one at a time is possible.
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

/** A browser as a person knows it: `Firefox on Android`. Pure. */
export function nameOf(agent: string): string {
  const find = (choices: readonly (readonly [RegExp, string])[]) =>
    choices.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find([
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]);
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS X/, 'macOS'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ]);
  return `${browser ?? 'A browser'}${system ? ` on ${system}` : ''}`;
}
