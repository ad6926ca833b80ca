import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import type { DecisionKey, MadeDecisionKey } from '../../protocol/decisions.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, DecisionKeyId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { decisionKeys } from '../db/schema.ts';
import { newId, newToken, sha256Hex } from '../lib/crypto.ts';
import { type Page, pageFrom, parseCursor } from '../lib/page.ts';
import type { Principal } from './principal.ts';

type KeyRow = typeof decisionKeys.$inferSelect;

/** Begins every such token, so that a scanner for secrets knows a lost one and what it opens. */
export const DECISION_KEY_PREFIX = 'phd_';

/** Makes a key of one repository. The token is returned once and kept nowhere. */
export async function issueDecisionKey(
  database: Database,
  maker: Principal & { kind: 'person' | 'cli' },
  input: { repository: string; name: string },
  nowMs: number,
): Promise<MadeDecisionKey> {
  const token = DECISION_KEY_PREFIX + newToken();
  const row: KeyRow = {
    keyId: newId('dky', nowMs),
    accountId: maker.accountId,
    actorId: maker.actorId,
    ...input,
    tokenHash: await sha256Hex(token),
    madeBy: maker.kind,
    createdAt: nowMs,
    lastUsedAt: null,
    revokedAt: null,
  };
  await database.insert(decisionKeys).values(row);
  return { key: toDecisionKey(row), token };
}

/**
 * The live key that a token is, with this moment noted as its last use; null for an unknown or
 * revoked one. One statement, so that a key revoked meanwhile is not admitted.
 */
export async function admitDecisionKey(
  database: Database,
  token: string,
  nowMs: number,
): Promise<KeyRow | null> {
  const rows = await database
    .update(decisionKeys)
    .set({ lastUsedAt: nowMs })
    .where(and(eq(decisionKeys.tokenHash, await sha256Hex(token)), isNull(decisionKeys.revokedAt)))
    .returning();
  return rows[0] ?? null;
}

/** A page of an account's keys, newest first, revoked ones among them. */
export async function listDecisionKeys(
  database: Database,
  accountId: AccountId,
  query: { cursor?: string | undefined; limit: number; repository?: string | undefined },
): Promise<Page<DecisionKey>> {
  const [before] = parseCursor(query.cursor, 1);
  const rows = await database
    .select()
    .from(decisionKeys)
    .where(
      and(
        eq(decisionKeys.accountId, accountId),
        query.repository === undefined ? undefined : eq(decisionKeys.repository, query.repository),
        before === undefined ? undefined : lt(decisionKeys.keyId, before as DecisionKeyId),
      ),
    )
    .orderBy(desc(decisionKeys.keyId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.keyId]);
  return { items: items.map(toDecisionKey), nextCursor };
}

/** Revokes a key for good; again is no error. Throws `decision_key_not_found`. */
export async function revokeDecisionKey(
  database: Database,
  accountId: AccountId,
  keyId: DecisionKeyId,
  nowMs: number,
): Promise<void> {
  const mine = and(eq(decisionKeys.accountId, accountId), eq(decisionKeys.keyId, keyId));
  const rows = await database
    .update(decisionKeys)
    .set({ revokedAt: nowMs })
    .where(and(mine, isNull(decisionKeys.revokedAt)))
    .returning({ keyId: decisionKeys.keyId });
  if (rows.length > 0) return;
  const known = await database.select({ keyId: decisionKeys.keyId }).from(decisionKeys).where(mine);
  if (known.length === 0) throw new PilothouseError('decision_key_not_found', { keyId });
}

function toDecisionKey(row: KeyRow): DecisionKey {
  const { keyId, repository, name, madeBy, createdAt, lastUsedAt, revokedAt } = row;
  return { keyId, repository, name, madeBy, createdAt, lastUsedAt, revokedAt };
}
