import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  createdAt: 1,
  lastAt: null,
  fault: null,
  ...over,
});
const serve = (...devices: PushDevice[]) =>
  cloud.garble(/^\/v1\/push$/, JSON.stringify({ publicKey: 'B', devices }));
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
