import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, McpKeyId } from '../../protocol/ids.ts';
import {
  type MadeMcpKey,
  type makeMcpKeyRequest,
  MCP_RATE,
  type McpKey,
} from '../../protocol/mcp.ts';
import type { Database } from '../db/client.ts';
import { mcpKeys } from '../db/schema.ts';
import { newId, newToken, sha256Hex } from '../lib/crypto.ts';
import type { Principal } from './principal.ts';

type KeyRow = typeof mcpKeys.$inferSelect;

/** Begins every such token, so that a scanner for secrets knows a lost one and what it opens. */
export const MCP_KEY_PREFIX = 'phm_';
/** How many revoked keys are told: those that open nothing any more leave no live one out. */
const TOLD_REVOKED = 200;

/** Makes a key. The token is returned once and kept nowhere. */
export async function issueMcpKey(
  database: Database,
  maker: Principal & { kind: 'person' | 'cli' },
  input: z.output<typeof makeMcpKeyRequest>,
  nowMs: number,
): Promise<MadeMcpKey> {
  const token = MCP_KEY_PREFIX + newToken();
  const row: KeyRow = {
    keyId: newId('mky', nowMs),
    accountId: maker.accountId,
    actorId: maker.actorId,
    ...input,
    tokenHash: await sha256Hex(token),
    madeBy: maker.kind,
    createdAt: nowMs,
    lastUsedAt: null,
    revokedAt: null,
    windowAt: nowMs,
    used: 0,
  };
  await database.insert(mcpKeys).values(row);
  return { key: toMcpKey(row), token };
}

/**
 * The live key that a token is, counted as used once more; null for an unknown or revoked one. One
 * statement, so that neither a revocation nor a count is lost. Throws `mcp_rate_limited`.
 */
export async function admitMcpKey(
  database: Database,
  token: string,
  nowMs: number,
): Promise<KeyRow | null> {
  const isOver = sql`${mcpKeys.windowAt} <= ${nowMs - MCP_RATE.windowMs}`;
  const [row] = await database
    .update(mcpKeys)
    .set({
      lastUsedAt: nowMs,
      windowAt: sql`CASE WHEN ${isOver} THEN ${nowMs} ELSE ${mcpKeys.windowAt} END`,
      used: sql`CASE WHEN ${isOver} THEN 1 ELSE ${mcpKeys.used} + 1 END`,
    })
    .where(and(eq(mcpKeys.tokenHash, await sha256Hex(token)), isNull(mcpKeys.revokedAt)))
    .returning();
  if (row && row.used > MCP_RATE.most) throw new PilothouseError('mcp_rate_limited');
  return row ?? null;
}

/** Every live key of an account, and the last revoked ones, newest first. */
export async function listMcpKeys(database: Database, accountId: AccountId): Promise<McpKey[]> {
  const ofAccount = eq(mcpKeys.accountId, accountId);
  const revoked = database
    .select({ keyId: mcpKeys.keyId })
    .from(mcpKeys)
    .where(and(ofAccount, isNotNull(mcpKeys.revokedAt)))
    .orderBy(desc(mcpKeys.keyId))
    .limit(TOLD_REVOKED);
  const rows = await database
    .select()
    .from(mcpKeys)
    .where(and(ofAccount, or(isNull(mcpKeys.revokedAt), inArray(mcpKeys.keyId, revoked))))
    .orderBy(desc(mcpKeys.keyId));
  return rows.map(toMcpKey);
}

/** Revokes a key for good; again is no error. Throws `mcp_key_not_found`. */
export async function revokeMcpKey(
  database: Database,
  accountId: AccountId,
  keyId: McpKeyId,
  nowMs: number,
): Promise<void> {
  const [row] = await database
    .update(mcpKeys)
    .set({ revokedAt: sql`COALESCE(${mcpKeys.revokedAt}, ${nowMs})` })
    .where(and(eq(mcpKeys.accountId, accountId), eq(mcpKeys.keyId, keyId)))
    .returning({ keyId: mcpKeys.keyId });
  if (!row) throw new PilothouseError('mcp_key_not_found', { keyId });
}

function toMcpKey(row: KeyRow): McpKey {
  const { keyId, name, instanceId, scopes, madeBy, createdAt, lastUsedAt, revokedAt } = row;
  return { keyId, name, instanceId, scopes, madeBy, createdAt, lastUsedAt, revokedAt };
}
