import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Evidence, PilotStatus } from '../../protocol/pilot.ts';
import { owner } from './columns.ts';

const session = { sessionId: text('session_id').$type<SessionId>().notNull() };

/** Where each run stands: a projection of its steps, and what its driver needs to find it. */
export const pilotRuns = sqliteTable(
  'pilot_runs',
  {
    sessionId: text('session_id').$type<SessionId>().primaryKey(),
    ...owner,
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    /** Counts the drivers that the run has had; each names its own instance. */
    generation: integer('generation').notNull(),
    /** The last step that is recorded; zero before the first. */
    step: integer('step').notNull(),
    status: text('status').$type<PilotStatus>().notNull(),
    reason: text('reason').notNull(),
    /** The state after that step, as JSON; null before the first. */
    state: text('state'),
    /** The merge policy as it was read before anything else, as JSON. */
    policy: text('policy'),
    /** What wakes the driver where it waits now; null while it works. */
    waitKey: text('wait_key'),
    /** When the driver wants to look again, Unix ms. */
    dueAt: integer('due_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (table) => [
    index('pilot_runs_unfinished').on(table.finishedAt, table.dueAt, table.sessionId),
    index('pilot_runs_by_status').on(table.accountId, table.status, table.updatedAt),
  ],
);

/** What happened to a run and what was to be done next, recorded before it was done. */
export const pilotSteps = sqliteTable(
  'pilot_steps',
  {
    ...session,
    step: integer('step').notNull(),
    ...owner,
    at: integer('at').notNull(),
    /** What happened, as JSON. */
    event: text('event').notNull(),
    status: text('status').$type<PilotStatus>().notNull(),
    reason: text('reason').notNull(),
    /** What the driver is to do, as JSON; null for nothing. */
    effect: text('effect'),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.step] })],
);

/** What brains answered. Written by a trigger of `pilot_steps`, in its transaction. */
export const pilotDecisions = sqliteTable(
  'pilot_decisions',
  {
    ...session,
    step: integer('step').notNull(),
    ...owner,
    at: integer('at').notNull(),
    /** Null: nothing that could be used, and `reason` says why. */
    next: text('next', { enum: ['instruct', 'finish', 'ask_human', 'wait_until'] }),
    instruction: text('instruction'),
    reason: text('reason').notNull(),
    /** What the runner itself ran for it. */
    evidence: text('evidence', { mode: 'json' }).$type<Evidence[]>().notNull(),
    /** What the decision led to, which may be another thing than it asked for. */
    status: text('status').$type<PilotStatus>().notNull(),
    outcome: text('outcome').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.step] })],
);
