import type { z } from 'zod';
import { PUSH_KINDS, type subscribeRequest } from '../../../protocol/push.ts';

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** A browser's side of Web Push: it subscribes, and reads what is sent to it (RFC 8291). */
export class PushBrowser {
  readonly #pair: CryptoKeyPair;
  readonly #auth = crypto.getRandomValues(new Uint8Array(16));
  readonly #point: Uint8Array;
  readonly endpoint: string;

  private constructor(pair: CryptoKeyPair, point: ArrayBuffer, endpoint: string) {
    this.#pair = pair;
    this.#point = new Uint8Array(point);
    this.endpoint = endpoint;
  }

  static async open(name = 'one'): Promise<PushBrowser> {
    const curve = { name: 'ECDH', namedCurve: 'P-256' };
    const pair = (await crypto.subtle.generateKey(curve, true, ['deriveBits'])) as CryptoKeyPair;
    const point = (await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer;
    return new PushBrowser(pair, point, `https://fcm.googleapis.com/fcm/send/${name}`);
  }

  get subscription() {
    return {
      endpoint: this.endpoint,
      keys: { p256dh: base64url(this.#point), auth: base64url(this.#auth) },
    };
  }

  asked(over: Partial<z.input<typeof subscribeRequest>> = {}) {
    const choices = { kinds: [...PUSH_KINDS], quiet: null };
    return { ...this.subscription, name: 'Firefox on Linux', ...choices, ...over };
  }

  /** Opens a message. Throws when it was not made for this browser. */
  async read(body: Uint8Array): Promise<unknown> {
    const salt = body.slice(0, 16);
    const sender = body.slice(21, 21 + (body[20] ?? 0));
    const other = await crypto.subtle.importKey(
      'raw',
      sender,
      { name: 'ECDH', namedCurve: 'P-256' },
      false,
      [],
    );
    const shared = await crypto.subtle.deriveBits(
      // The types of the platform call it by another name than the platform itself.
      { name: 'ECDH', public: other } as unknown as SubtleCryptoDeriveKeyAlgorithm,
      this.#pair.privateKey,
      256,
    );
    const info = joined(utf8('WebPush: info\0'), this.#point, sender);
    const secret = await derive(new Uint8Array(shared), this.#auth, info, 32);
    const key = await derive(secret, salt, utf8('Content-Encoding: aes128gcm\0'), 16);
    const iv = await derive(secret, salt, utf8('Content-Encoding: nonce\0'), 12);
    const opener = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
    const sealed = body.slice(21 + sender.length);
    const plain = new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, opener, sealed),
    );
    return JSON.parse(new TextDecoder().decode(plain.slice(0, plain.lastIndexOf(2))));
  }
}

async function derive(
  secret: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}
