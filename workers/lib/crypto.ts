import { groupPairingCode, PAIRING_ALPHABET, PAIRING_LETTERS } from '../../protocol/pairing.ts';
import { type IdOf, type IdPrefix, makeId } from '../../protocol/ids.ts';

/** A new id of this kind, from the platform's clock and chance. */
export function newId<P extends IdPrefix>(prefix: P, nowMs: number = Date.now()): IdOf<P> {
  return makeId(prefix, nowMs, crypto.getRandomValues(new Uint8Array(12)));
}

/** A new secret of 256 random bits, as 43 characters that need no escaping anywhere. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** A new code that a person can read off one screen and type on another. */
export function newPairingCode(): string {
  // 256 is a multiple of 32: each letter is as likely as any other.
  const bytes = crypto.getRandomValues(new Uint8Array(PAIRING_LETTERS));
  return groupPairingCode([...bytes].map((byte) => PAIRING_ALPHABET[byte % 32]).join(''));
}

/** SHA-256 of a text, in hex. Enough for a random token: there is nothing to guess by dictionary. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export async function equalSecrets(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256Hex(left), sha256Hex(right)]);
  let difference = 0;
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
