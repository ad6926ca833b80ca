import {
  addBrainKeyRequest,
  BRAIN_BASE_URLS,
  type BrainKey,
  priceBrainKeyRequest,
} from '../../protocol/brain-keys.ts';
import { brainKeyId } from '../../protocol/ids.ts';

/** Keys of the stand-in account, as they are listed: their secrets are nowhere. */
export class MockBrainKeys {
  keys: BrainKey[] = [];

  /** Answers what is asked of keys; null for what is not. */
  answer(method: string, path: string, body: unknown, nowMs: number): unknown {
    const removed = /^\/v1\/brain-keys\/(\w+)\/remove$/.exec(path)?.[1];
    if (removed !== undefined) {
      this.keys = this.keys.filter(({ keyId }) => keyId !== removed);
      return { accepted: true };
    }
    const priced = /^\/v1\/brain-keys\/(\w+)\/price$/.exec(path)?.[1];
    if (priced !== undefined) {
      const { price } = priceBrainKeyRequest.parse(body);
      this.keys = this.keys.map((key) => (key.keyId === priced ? { ...key, price } : key));
      return this.keys.find(({ keyId }) => keyId === priced) ?? null;
    }
    if (path !== '/v1/brain-keys') return null;
    if (method === 'GET') return { items: this.keys };
    const parsed = addBrainKeyRequest.parse(body);
    const { name, provider, baseUrl = BRAIN_BASE_URLS[provider], price = null } = parsed;
    const keyId = brainKeyId.parse(`bky_${this.keys.length + 1}`);
    const key = { keyId, name, provider, baseUrl, createdAt: nowMs, price };
    this.keys = [key, ...this.keys];
    return key;
  }
}
