import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PolicyPart, PolicyScope } from '../../protocol/merge-policy.ts';
import { owner } from './columns.ts';

/** What a scope says of merges, pushes and tools: each save is a further version. */
export const mergePolicies = sqliteTable(
  'merge_policies',
  {
    ...owner,
    /** The scope as one text, so that it can be a key. */
    scopeKey: text('scope_key').notNull(),
    version: integer('version').notNull(),
    scope: text('scope', { mode: 'json' }).$type<PolicyScope>().notNull(),
    part: text('part', { mode: 'json' }).$type<PolicyPart>().notNull(),
    /** Why it may say more than the wider scope; null: it only tightens. */
    widens: text('widens'),
    savedBy: text('saved_by', { enum: ['person', 'cli'] }).notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.scopeKey, table.version] })],
);
