import { addBrainKeyRequest, BRAIN_BASE_URLS, type BrainKey } from '../../protocol/brain-keys.ts';
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
    if (path !== '/v1/brain-keys') return null;
    if (method === 'GET') return { items: this.keys };
    const { name, provider, baseUrl = BRAIN_BASE_URLS[provider] } = addBrainKeyRequest.parse(body);
    const keyId = brainKeyId.parse(`bky_${this.keys.length + 1}`);
    const key = { keyId, name, provider, baseUrl, createdAt: nowMs };
    this.keys = [key, ...this.keys];
    return key;
  }
}
