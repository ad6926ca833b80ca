import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ChainedLedger } from '../../protocol/chain.ts';
import { owner, source } from './columns.ts';

/** The chain of each session: what each row of its ledgers was when it was written, in order. */
export const chainLinks = sqliteTable(
  'chain_links',
  {
    ...owner,
    ...source,
    /** Without gaps from 0, which says from which position on the chain holds. */
    number: integer('number').notNull(),
    ledger: text('ledger').$type<ChainedLedger | 'genesis'>().notNull(),
    /** The row's key in its ledger beside the session. */
    rowKey: text('row_key').notNull(),
    rowSha256: text('row_sha256').notNull(),
    /** Of all above, and of the hash of the link before. */
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.number] }),
    index('chain_links_by_row').on(table.sessionId, table.ledger, table.rowKey),
    index('chain_links_by_account').on(table.accountId, table.sessionId),
  ],
);
