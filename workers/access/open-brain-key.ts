import type { OpenBrainKey } from '../../protocol/brain-keys.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, BrainKeyId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { openText } from '../lib/secret-box.ts';
import { placeOf, requireBrainKey, secretOf } from './brain-keys.ts';

/** Opens a key for one call. Throws `brain_key_not_found`, `_unreadable` and `brain_keys_unavailable`. */
export async function openBrainKey(
  env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
  database: Database,
  accountId: AccountId,
  keyId: BrainKeyId,
): Promise<OpenBrainKey> {
  const row = await requireBrainKey(database, accountId, keyId);
  const secret = await openText(secretOf(env), placeOf(row), row.sealed);
  if (secret === null) throw new PilothouseError('brain_key_unreadable', { keyId });
  const { provider, baseUrl, price } = row;
  return { provider, baseUrl, secret, price };
}
