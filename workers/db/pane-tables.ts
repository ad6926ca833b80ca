import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RunnerId } from '../../protocol/ids.ts';
import type { PaneRecord } from '../../protocol/panes.ts';
import { owner } from './columns.ts';

/** Terminals of a machine's own that persons watched and drove: how much was typed, never what. */
export const paneRecords = sqliteTable(
  'pane_records',
  {
    id: text('id').primaryKey(),
    ...owner,
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    target: text('target').notNull(),
    channel: text('channel').notNull(),
    kind: text('kind').$type<PaneRecord['kind']>().notNull(),
    bytes: integer('bytes'),
    batches: integer('batches'),
    reason: text('reason').$type<PaneRecord['reason']>(),
    at: integer('at').notNull(),
  },
  (table) => [
    index('pane_records_by_time').on(table.accountId, table.runnerId, table.at, table.id),
  ],
);
