import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { InstanceId, McpKeyId } from '../../protocol/ids.ts';
import type { McpScope } from '../../protocol/mcp.ts';
import { owner } from './columns.ts';

/** Keys of MCP clients: of one instance's tools, or of the control plane. */
export const mcpKeys = sqliteTable(
  'mcp_keys',
  {
    keyId: text('key_id').$type<McpKeyId>().primaryKey(),
    ...owner,
    name: text('name').notNull(),
    instanceId: text('instance_id').$type<InstanceId>(),
    scopes: text('scopes', { mode: 'json' }).$type<McpScope[]>().notNull(),
    /** SHA-256 of the token in hex; the token itself is known to its holder alone. */
    tokenHash: text('token_hash').notNull(),
    madeBy: text('made_by', { enum: ['person', 'cli'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    /** When the window began that requests are counted in, and how many there were. */
    windowAt: integer('window_at').notNull(),
    used: integer('used').notNull(),
  },
  (table) => [
    uniqueIndex('mcp_keys_by_token').on(table.tokenHash),
    index('mcp_keys_by_account').on(table.accountId, table.keyId),
  ],
);
