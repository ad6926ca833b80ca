const PURPOSE = new TextEncoder().encode('pilothouse secret box v1');
const IV_BYTES = 12;

/**
 * Encrypts a text with AES-256-GCM under the server's secret. `place` is bound to it: put anywhere
 * else it does not open. Answers base64 of the IV and what it encrypted.
 */
export async function sealText(secret: string, place: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await keyOf(secret);
  const sealed = await crypto.subtle.encrypt(algorithm(iv, place), key, encode(text));
  return btoa(String.fromCharCode(...iv, ...new Uint8Array(sealed)));
}

/** Opens what {@link sealText} made for this place; null where secret, place or content differ. */
export async function openText(
  secret: string,
  place: string,
  sealed: string,
): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0));
    const key = await keyOf(secret);
    const opened = await crypto.subtle.decrypt(
      algorithm(bytes.slice(0, IV_BYTES), place),
      key,
      bytes.slice(IV_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch {
    // Whatever is wrong with it, the answer is the same, and the fault may name what it holds.
    return null;
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const raw = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: PURPOSE },
    raw,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

const algorithm = (iv: Uint8Array, place: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encode(place),
});

const encode = (text: string) => new TextEncoder().encode(text);
