import type { Command } from 'commander';
import {
  digestView,
  saveDigestRequest,
  type DigestChoice,
  type DigestView,
} from '../../../protocol/digest.ts';
import { accepted } from '../../../protocol/http.ts';
import type { PushDevice } from '../../../protocol/push.ts';
import { pushView, type PushView } from '../../../protocol/push-view.ts';
import {
  madeWebhook,
  webhookView,
  type MadeWebhook,
  type SetWebhookRequest,
  type WebhookView,
} from '../../../protocol/webhook.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { Call } from '../api.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { addDigest } from './digest.ts';
import { addWebhook, sayKinds } from './webhook.ts';

/** The part of the API that knows who is told. */
export type PushApi = {
  readPush(): Promise<PushView>;
  removePushDevice(deviceId: string): Promise<unknown>;
  setWebhook(request: SetWebhookRequest): Promise<MadeWebhook>;
  testWebhook(): Promise<WebhookView>;
  removeWebhook(): Promise<unknown>;
  readDigest(): Promise<DigestView>;
  saveDigest(digest: DigestChoice | null): Promise<unknown>;
};

export function createPushApi(call: Call): PushApi {
  return {
    readPush: () => call('GET', '/v1/push', pushView),
    removePushDevice: (deviceId) =>
      call('POST', `/v1/push/devices/${encodeURIComponent(deviceId)}/remove`, accepted),
    setWebhook: (request) => call('POST', '/v1/push/webhook', madeWebhook, request),
    testWebhook: () => call('POST', '/v1/push/webhook/test', webhookView),
    removeWebhook: () => call('POST', '/v1/push/webhook/remove', accepted),
    readDigest: () => call('GET', '/v1/push/digest', digestView),
    saveDigest: (digest) => call('POST', '/v1/push/digest', saveDigestRequest, { digest }),
  };
}

/** `pilothouse notifications …`: who is told what needs a person. */
export function addNotifications(program: Command): void {
  const notifications = program
    .command('notifications')
    .description('show who is told what needs you, and choose whom');
  withConnection(notifications.command('list'))
    .description('list the browsers that are told while no page is open')
    .action(async (options: ConnectionOptions) => {
      const { devices } = await connect(options, process.env).api.readPush();
      print(options.json, { items: devices }, () => describeDevices(devices, Date.now()));
    });
  addWebhook(notifications);
  addDigest(notifications);
  withConnection(notifications.command('remove'))
    .description('tell a browser nothing any more')
    .argument('<browser>', 'its id or its name')
    .action(async (wanted: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { deviceId, name } = findDevice((await api.readPush()).devices, wanted);
      await api.removePushDevice(deviceId);
      print(
        options.json,
        { deviceId, removed: true },
        () => `${oneLine(name, 40)}, ${deviceId}, is told nothing more.`,
      );
    });
}

function findDevice(devices: readonly PushDevice[], wanted: string): PushDevice {
  const found = devices.filter(({ deviceId, name }) => wanted === deviceId || wanted === name);
  const [one] = found;
  if (one && found.length === 1) return one;
  throw new Failure(
    EXIT.refused,
    'push_device_not_found',
    one
      ? `More than one browser is called ${wanted}. Give its id: ${found.map(({ deviceId }) => deviceId).join(', ')}.`
      : `No browser ${wanted} is told. \`pilothouse notifications list\` shows those that are.`,
  );
}

function describeDevices(devices: readonly PushDevice[], nowMs: number): string {
  if (devices.length === 0)
    return 'No browser is told. Turn it on in the console of the browser: Settings, Notifications.';
  return formatTable(
    ['ID', 'BROWSER', 'TOLD OF', 'QUIET', 'LAST TOLD'],
    devices.map(({ deviceId, name, kinds, added, quiet, lastAt, fault }) => [
      deviceId,
      oneLine(name, 30),
      sayKinds(kinds, added),
      quiet ? `${time(quiet.from)} to ${time(quiet.to)} ${quiet.timeZone}` : '',
      fault ?? (lastAt === null ? 'not yet' : formatAgo(lastAt, nowMs)),
    ]),
  );
}

const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
