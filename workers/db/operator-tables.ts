import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActorId, InstanceId, OperatorId, RunnerId } from '../../protocol/ids.ts';
import type { InstanceBody, OperatorBody } from '../../protocol/operator.ts';
import { owner } from './columns.ts';

const savedBy = text('saved_by', { enum: ['person', 'cli'] }).notNull();

/** What creators publish: each version is a row, and a withdrawal is one without a body. */
export const operatorDefinitions = sqliteTable(
  'operator_definitions',
  {
    ...owner,
    operatorId: text('operator_id').$type<OperatorId>().notNull(),
    version: integer('version').notNull(),
    body: text('body', { mode: 'json' }).$type<OperatorBody>(),
    savedBy,
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.operatorId, table.version] }),
    index('operator_definitions_by_account').on(table.accountId, table.operatorId),
  ],
);

/** Instances as they were at each change: who agreed to what, and when, is part of the record. */
export const operatorInstances = sqliteTable(
  'operator_instances',
  {
    ...owner,
    instanceId: text('instance_id').$type<InstanceId>().notNull(),
    revision: integer('revision').notNull(),
    operatorId: text('operator_id').$type<OperatorId>().notNull(),
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    /** Who made it; `actor_id` is who made this change. */
    ownerId: text('owner_id').$type<ActorId>().notNull(),
    createdAt: integer('created_at').notNull(),
    body: text('body', { mode: 'json' }).$type<InstanceBody>().notNull(),
    savedBy,
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.instanceId, table.revision] }),
    index('operator_instances_by_account').on(table.accountId, table.instanceId),
  ],
);
