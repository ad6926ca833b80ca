import { pushDeviceId } from '../../protocol/ids.ts';
import {
  deviceChoices,
  pushChoices,
  type PushDevice,
  subscribeRequest,
} from '../../protocol/push.ts';
import { type Digest, type DigestChoice, saveDigestRequest } from '../../protocol/digest.ts';
import { setWebhookRequest, webhookHost, type WebhookView } from '../../protocol/webhook.ts';

/** The browsers of the stand-in account, and its webhook. */
export class MockPush {
  devices: PushDevice[] = [];
  webhook: WebhookView | null = null;
  digest: DigestChoice | null = null;
  /** What the page of the digest shows. */
  told: Partial<Digest> = {};

  /** Answers what is asked of browsers; null for what is not. */
  answer(method: string, path: string, body: unknown, nowMs: number): unknown {
    const removed = /^\/v1\/push\/devices\/(\w+)\/remove$/.exec(path)?.[1];
    if (removed !== undefined) {
      this.devices = this.devices.filter(({ deviceId }) => deviceId !== removed);
      return { accepted: true };
    }
    if (path === '/v1/push')
      return {
        publicKey: 'B'.repeat(87),
        devices: this.devices,
        webhook: this.webhook,
        digest: this.digest,
      };
    if (path === '/v1/push/digest') return this.#answerDigest(method, body, nowMs);
    if (method === 'POST' && path === '/v1/push/devices') {
      const { name, kinds, quiet, details } = subscribeRequest.parse(body);
      const deviceId = pushDeviceId.parse(`psh_${this.devices.length + 1}`);
      const made = {
        deviceId,
        name,
        kinds,
        quiet,
        details,
        added: [],
        createdAt: nowMs,
        lastAt: null,
        fault: null,
      };
      this.devices = [...this.devices, made];
      return made;
    }
    if (path.startsWith('/v1/push/webhook')) return this.#answerWebhook(path, body, nowMs);
    const changed = this.devices.find(({ deviceId }) => path === `/v1/push/devices/${deviceId}`);
    if (!changed) return null;
    const next = { ...changed, ...deviceChoices.parse(body), added: [] };
    this.devices = this.devices.map((each) => (each === changed ? next : each));
    return next;
  }

  #answerDigest(method: string, body: unknown, nowMs: number): unknown {
    if (method === 'POST') {
      ({ digest: this.digest } = saveDigestRequest.parse(body));
      return { digest: this.digest };
    }
    const none = { count: 0, items: [] };
    const counts = { spend: {}, unmeteredDrives: 0, acts: [], breaches: 0, calls: 0 };
    const range = { from: nowMs - 24 * 3_600_000, to: nowMs };
    const digest = { ...range, finished: none, failed: none, waiting: none, ...counts };
    return { digest: { ...digest, ...this.told }, choice: this.digest };
  }

  #answerWebhook(path: string, body: unknown, nowMs: number): unknown {
    if (path === '/v1/push/webhook') {
      const { url, kinds, quiet } = setWebhookRequest.parse(body);
      const host = webhookHost(url) ?? '';
      const last = { lastAt: null, status: null, fault: null };
      this.webhook = { host, kinds, quiet, added: [], createdAt: nowMs, ...last };
      return { webhook: this.webhook, secret: 'whsec_sentinel' };
    }
    if (!this.webhook) return null;
    if (path.endsWith('/test')) this.webhook = { ...this.webhook, status: 200, lastAt: nowMs };
    if (path.endsWith('/choices'))
      this.webhook = { ...this.webhook, ...pushChoices.parse(body), added: [] };
    if (!path.endsWith('/remove')) return this.webhook;
    this.webhook = null;
    return { accepted: true };
  }
}
