import { pushDeviceId } from '../../protocol/ids.ts';
import { pushChoices, type PushDevice, subscribeRequest } from '../../protocol/push.ts';

/** The browsers of the stand-in account. */
export class MockPush {
  devices: PushDevice[] = [];

  /** Answers what is asked of browsers; null for what is not. */
  answer(method: string, path: string, body: unknown, nowMs: number): unknown {
    const removed = /^\/v1\/push\/devices\/(\w+)\/remove$/.exec(path)?.[1];
    if (removed !== undefined) {
      this.devices = this.devices.filter(({ deviceId }) => deviceId !== removed);
      return { accepted: true };
    }
    if (path === '/v1/push') return { publicKey: 'B'.repeat(87), devices: this.devices };
    if (method === 'POST' && path === '/v1/push/devices') {
      const { name, kinds, quiet } = subscribeRequest.parse(body);
      const deviceId = pushDeviceId.parse(`psh_${this.devices.length + 1}`);
      const made = { deviceId, name, kinds, quiet, createdAt: nowMs, lastAt: null, fault: null };
      this.devices = [...this.devices, made];
      return made;
    }
    const changed = this.devices.find(({ deviceId }) => path === `/v1/push/devices/${deviceId}`);
    if (!changed) return null;
    const next = { ...changed, ...pushChoices.parse(body) };
    this.devices = this.devices.map((each) => (each === changed ? next : each));
    return next;
  }
}
