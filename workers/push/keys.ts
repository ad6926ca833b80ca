import { eq } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, ActorId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { pushKeys } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { openText, sealText } from '../lib/secret-box.ts';

/** The server's key pair in base64url: the public point, and the private number. */
export type ServerKeys = { publicKey: string; privateKey: string };

/** Characters below which a server's secret is a word rather than a secret. */
const SECRET_MIN_CHARS = 32;

/** Whether the server has a secret to keep anything with. */
export const hasSecret = ({ BRAIN_KEYS_SECRET: secret = '' }: Pick<Env, 'BRAIN_KEYS_SECRET'>) =>
  secret.length >= SECRET_MIN_CHARS;

/** The secret that keeps keys and subscriptions. Throws `push_unavailable` where there is none. */
export function secretOf(env: Pick<Env, 'BRAIN_KEYS_SECRET'>): string {
  if (!hasSecret(env)) throw new PilothouseError('push_unavailable');
  return env.BRAIN_KEYS_SECRET ?? '';
}

/** The account's own key; made when it is first asked for, and the same from then on. */
export async function readServerKeys(
  env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
  database: Database,
  owner: { accountId: AccountId; actorId: ActorId },
  nowMs: number,
): Promise<ServerKeys> {
  const { accountId, actorId } = owner;
  const secret = secretOf(env);
  const kept = await openKeys(database, accountId, secret);
  if (kept) return kept;
  const made = await makeKeys();
  const sealed = await sealText(secret, placeOf(accountId, made.publicKey), made.privateKey);
  await database
    .insert(pushKeys)
    .values({ accountId, actorId, publicKey: made.publicKey, sealed, createdAt: nowMs })
    .onConflictDoNothing();
  // Asked for twice at once, the first one made is everybody's.
  const first = await openKeys(database, accountId, secret);
  if (!first) throw new PilothouseError('push_unavailable');
  return first;
}

async function openKeys(
  database: Database,
  accountId: AccountId,
  secret: string,
): Promise<ServerKeys | null> {
  const [row] = await database.select().from(pushKeys).where(eq(pushKeys.accountId, accountId));
  if (!row) return null;
  const { publicKey, sealed } = row;
  const privateKey = await openText(secret, placeOf(accountId, publicKey), sealed);
  // Under another secret than now, it opens for nobody any more.
  if (privateKey === null) throw new PilothouseError('push_unavailable');
  return { publicKey, privateKey };
}

const placeOf = (accountId: AccountId, publicKey: string) => `push ${accountId} ${publicKey}`;

/** A new pair on P-256, as RFC 8292 asks. */
async function makeKeys(): Promise<ServerKeys> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  if (!('privateKey' in pair)) throw new Error('The platform made one key instead of a pair.');
  const [point, own] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('jwk', pair.privateKey),
  ]);
  if (!(point instanceof ArrayBuffer) || !('d' in own) || typeof own.d !== 'string')
    throw new Error('The platform exports no private number.');
  return { publicKey: base64url(new Uint8Array(point)), privateKey: own.d };
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
