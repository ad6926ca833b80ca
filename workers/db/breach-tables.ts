import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActKind } from '../../protocol/act.ts';
import type { Breach } from '../../protocol/breach.ts';
import type { PolicySnapshot } from '../../protocol/merge-policy.ts';
import type { RefMove } from '../../protocol/witness.ts';
import { ofSessionOrInstance, owner, source } from './columns.ts';

/** Acts that the policy of their session, or of their operator, forbids and that happened. */
export const breaches = sqliteTable(
  'breaches',
  {
    ...owner,
    ...source,
    sessionId: ofSessionOrInstance,
    actId: text('act_id').notNull(),
    turnId: text('turn_id'),
    engineId: text('engine_id').notNull(),
    kind: text('kind').$type<ActKind>().notNull(),
    seenBy: text('seen_by').$type<Breach['seenBy']>().notNull(),
    command: text('command').notNull(),
    rule: text('rule').notNull(),
    move: text('move', { mode: 'json' }).$type<RefMove>(),
    undo: text('undo', { mode: 'json' }).$type<Breach['undo']>().notNull(),
    /** The versions of the policy that were read at the launch, or for the call; empty: nobody had said anything. */
    policy: text('policy', { mode: 'json' }).$type<PolicySnapshot['sources']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.actId] }),
    index('breaches_by_time').on(table.accountId, table.at, table.actId, table.sessionId),
  ],
);

/** Why a session or an operator may go on after a breach, and who said so. The first word on each stands. */
export const breachOverrides = sqliteTable(
  'breach_overrides',
  {
    ...owner,
    ...source,
    sessionId: ofSessionOrInstance,
    actId: text('act_id').notNull(),
    reason: text('reason').notNull(),
    channel: text('channel').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.actId] })],
);
