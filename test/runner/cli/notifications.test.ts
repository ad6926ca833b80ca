import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pushDeviceId } from '../../../protocol/ids.ts';
import type { PushDevice } from '../../../protocol/push.ts';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const device = (over: Partial<PushDevice> = {}): PushDevice => ({
  deviceId: pushDeviceId.parse('psh_1'),
  name: 'Firefox on Linux',
  kinds: ['approval', 'failed'],
  quiet: null,
  details: false,
  added: [],
  createdAt: 1,
  lastAt: null,
  fault: null,
  ...over,
});
const serve = (...devices: PushDevice[]) =>
  cloud.garble(
    /^\/v1\/push$/,
    JSON.stringify({ publicKey: 'B', devices, webhook: null, digest: null }),
  );
const run = (...args: string[]) => runOn(cloud, 'notifications', ...args);

describe('pilothouse notifications', () => {
  it('lists what each browser is told of, when it is left alone, and what went wrong', async () => {
    const quiet = { from: 1_320, to: 420, timeZone: 'Europe/Berlin' };
    const second = pushDeviceId.parse('psh_2');
    serve(device(), device({ deviceId: second, kinds: [], quiet, fault: 'it answered 403' }));
    const { exitCode, stdout } = await run('list');
    expect(exitCode).toBe(EXIT.ok);
    const [, first, last] = stdout.split('\n');
    expect(first).toMatch(/^psh_1 {2}Firefox on Linux {2}approval, failed\s+not yet$/);
    expect(last).toMatch(/nothing\s+22:00 to 07:00 Europe\/Berlin\s+it answered 403$/);
  });

  it('says where to turn it on while no browser is told', async () => {
    serve();
    expect((await run('list')).stdout).toContain('Settings, Notifications');
  });

  it('takes a browser off by its name', async () => {
    serve(device());
    cloud.garble(/^\/v1\/push\/devices\/psh_1\/remove$/, JSON.stringify({ accepted: true }));
    const { stdout } = await run('remove', 'Firefox on Linux', '--json');
    expect(JSON.parse(stdout)).toEqual({ deviceId: 'psh_1', removed: true });
  });

  it('asks for the id where a name is not one browser', async () => {
    serve(device(), device({ deviceId: pushDeviceId.parse('psh_2') }));
    const twice = await run('remove', 'Firefox on Linux');
    expect(twice.exitCode).toBe(EXIT.refused);
    expect(twice.stderr).toContain('psh_1, psh_2');
    const none = await run('remove', 'Safari');
    expect(none.exitCode).toBe(EXIT.refused);
    expect(none.stderr).toContain('notifications list');
  });
});

describe('pilothouse notifications webhook', () => {
  const webhook = {
    host: 'hooks.example.org',
    kinds: ['approval'],
    quiet: null,
    createdAt: 1,
    lastAt: null,
    status: null,
    fault: null,
  };
  const url = 'https://hooks.example.org/services/T0';
  const set = (given: string, ...args: string[]) => {
    vi.stubEnv('PILOTHOUSE_WEBHOOK_URL', given);
    return run('webhook', 'set', ...args);
  };
  const made = JSON.stringify({ webhook, secret: 'whsec_once' });

  it('is set from where nobody reads its address, and prints the secret once', async () => {
    cloud.garble(/^\/v1\/push\/webhook$/, made, 201);
    const { exitCode, stdout } = await set(url, '--kinds', 'approval, failed');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('hooks.example.org is told');
    expect(stdout).toContain('whsec_once');
    expect(stdout).not.toContain('services');
    const [request] = cloud.requests('POST');
    expect(request?.body).toEqual({ url, kinds: ['approval', 'failed'], quiet: null });
  });

  it.each([['http://hooks.example.org/x'], ['https://10.0.0.1/x']])(
    'is not sent %s, which is no address of its own',
    async (given) => {
      const { exitCode, stderr } = await set(given);
      expect(exitCode).toBe(EXIT.usage);
      expect(stderr).toContain('https://');
      expect(cloud.requests('POST')).toEqual([]);
    },
  );

  it('names a kind that there is not', async () => {
    const { exitCode, stderr } = await set(url, '--kinds', 'approval,gossip');
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toContain('halted');
  });

  it('fails where a test was not taken, and says what was answered', async () => {
    const path = /^\/v1\/push\/webhook\/test$/;
    cloud.garble(path, JSON.stringify({ ...webhook, status: 410, fault: 'it answered 410' }));
    const failed = await run('webhook', 'test');
    expect(failed.exitCode).toBe(EXIT.failed);
    expect(failed.stderr).toContain('it answered 410');
  });

  it('is shown without its address, and taken off', async () => {
    const view = {
      publicKey: 'B',
      devices: [],
      digest: null,
      webhook: { ...webhook, status: 204, lastAt: 5 },
    };
    cloud.garble(/^\/v1\/push$/, JSON.stringify(view));
    expect((await run('webhook', 'show')).stdout).toMatch(/told of: approval\.[^]*answered 204/);
    cloud.garble(/^\/v1\/push\/webhook\/remove$/, JSON.stringify({ accepted: true }));
    expect((await run('webhook', 'remove')).stdout).toContain('nothing more');
  });
});
