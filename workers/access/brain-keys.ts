import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type addBrainKeyRequest,
  BRAIN_BASE_URLS,
  type BrainKey,
} from '../../protocol/brain-keys.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, ActorId, BrainKeyId } from '../../protocol/ids.ts';
import type { OwnPrice } from '../../protocol/own-price.ts';
import type { Database } from '../db/client.ts';
import { brainKeys } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { newId } from '../lib/crypto.ts';
import { sealText } from '../lib/secret-box.ts';

type KeyRow = typeof brainKeys.$inferSelect;

/** Characters below which a server's secret is a word rather than a secret. */
const SECRET_MIN_CHARS = 32;

/** Keeps a key, encrypted. Throws `brain_keys_unavailable` where there is nothing to do it with. */
export async function addBrainKey(
  env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
  database: Database,
  { accountId, actorId }: { accountId: AccountId; actorId: ActorId },
  input: z.output<typeof addBrainKeyRequest>,
  nowMs: number,
): Promise<BrainKey> {
  const { name, provider, secret, price = null, baseUrl = BRAIN_BASE_URLS[provider] } = input;
  const row = { keyId: newId('bky', nowMs), accountId, actorId, name, provider, baseUrl };
  const sealed = await sealText(secretOf(env), placeOf(row), secret);
  const kept: KeyRow = { ...row, sealed, createdAt: nowMs, price };
  await database.insert(brainKeys).values(kept);
  return toBrainKey(kept);
}

/** An account's keys, newest first, without what they open. */
export async function listBrainKeys(database: Database, accountId: AccountId): Promise<BrainKey[]> {
  const rows = await database
    .select()
    .from(brainKeys)
    .where(eq(brainKeys.accountId, accountId))
    .orderBy(desc(brainKeys.keyId));
  return rows.map(toBrainKey);
}

/** Keeps what its models cost from now on. Throws `brain_key_not_found`. */
export async function priceBrainKey(
  database: Database,
  accountId: AccountId,
  keyId: BrainKeyId,
  price: OwnPrice | null,
): Promise<BrainKey> {
  const [row] = await database
    .update(brainKeys)
    .set({ price })
    .where(mine(accountId, keyId))
    .returning();
  if (!row) throw new PilothouseError('brain_key_not_found', { keyId });
  return toBrainKey(row);
}

/** Forgets a key. Throws `brain_key_not_found`. */
export async function removeBrainKey(
  database: Database,
  accountId: AccountId,
  keyId: BrainKeyId,
): Promise<void> {
  const removed = await database
    .delete(brainKeys)
    .where(mine(accountId, keyId))
    .returning({ keyId: brainKeys.keyId });
  if (removed.length === 0) throw new PilothouseError('brain_key_not_found', { keyId });
}

/** Throws `brain_key_not_found` unless the account has this key. */
export async function requireBrainKey(
  database: Database,
  accountId: AccountId,
  keyId: BrainKeyId,
): Promise<KeyRow> {
  const [row] = await database.select().from(brainKeys).where(mine(accountId, keyId));
  if (!row) throw new PilothouseError('brain_key_not_found', { keyId });
  return row;
}

/** The server’s secret. Throws `brain_keys_unavailable` where it has none that is one. */
export function secretOf({
  BRAIN_KEYS_SECRET: secret = '',
}: Pick<Env, 'BRAIN_KEYS_SECRET'>): string {
  if (secret.length < SECRET_MIN_CHARS) throw new PilothouseError('brain_keys_unavailable');
  return secret;
}

/** What a key is bound to: changed in the table, its address opens nothing and gets nothing. */
export const placeOf = (
  row: Pick<KeyRow, 'accountId' | 'keyId' | 'provider' | 'baseUrl'>,
): string => [row.accountId, row.keyId, row.provider, row.baseUrl].join(' ');

const mine = (accountId: AccountId, keyId: BrainKeyId) =>
  and(eq(brainKeys.accountId, accountId), eq(brainKeys.keyId, keyId));

function toBrainKey({ keyId, name, provider, baseUrl, createdAt, price }: KeyRow): BrainKey {
  return { keyId, name, provider, baseUrl, createdAt, price };
}
