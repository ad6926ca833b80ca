import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActKind, ActOutcome, Witness } from '../../protocol/act.ts';
import type { PolicySnapshot } from '../../protocol/merge-policy.ts';
import type { ActWitness, Finding } from '../../protocol/witness.ts';
import { flag, ofSessionOrInstance, owner, source } from './columns.ts';

export const acts = sqliteTable(
  'acts',
  {
    ...owner,
    ...source,
    sessionId: ofSessionOrInstance,
    actId: text('act_id').notNull(),
    turnId: text('turn_id'),
    toolId: text('tool_id'),
    engineId: text('engine_id').notNull(),
    rehearsal: flag('rehearsal').notNull(),
    kind: text('kind').$type<ActKind>().notNull(),
    target: text('target'),
    /**
     * The redacted command, cut. The list of acts reaches across sessions, and reading each
     * command from its own feed would wake one object per row; the hash ties it to the whole.
     */
    command: text('command').notNull(),
    commandSha256: text('command_sha256').notNull(),
    witness: text('witness').$type<Witness>().notNull(),
    uncertain: flag('uncertain').notNull(),
    /** The act that claims this one, of one that the gate saw: it is listed there. */
    claimId: text('claim_id'),
    /** The versions of the policy of its session; null in rows of earlier versions. */
    policy: text('policy', { mode: 'json' }).$type<PolicySnapshot['sources']>(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.actId] }),
    index('acts_by_claim')
      .on(table.sessionId, table.claimId)
      .where(sql`${table.claimId} IS NOT NULL`),
    index('acts_by_time').on(table.accountId, table.at, table.actId),
    index('acts_by_kind').on(table.accountId, table.kind, table.at, table.actId),
    index('acts_by_session').on(table.accountId, table.sessionId, table.at, table.actId),
  ],
);

export const actOutcomes = sqliteTable(
  'act_outcomes',
  {
    ...owner,
    ...source,
    sessionId: ofSessionOrInstance,
    actId: text('act_id').notNull(),
    outcome: text('outcome').$type<ActOutcome>().notNull(),
    /** Who decided, and why, where somebody did; the engine's own command tells neither. */
    decidedBy: text('decided_by', { enum: ['policy', 'forge'] }),
    reason: text('reason'),
  },
  /** A later outcome is a later row; readers take the one with the highest position. */
  (table) => [primaryKey({ columns: [table.sessionId, table.actId, table.position] })],
);

/** What a witness beside the first one found about an act. */
export const actWitnesses = sqliteTable(
  'act_witnesses',
  {
    ...owner,
    ...source,
    sessionId: ofSessionOrInstance,
    actId: text('act_id').notNull(),
    witness: text('witness').$type<ActWitness['by']>().notNull(),
    finding: text('finding').$type<Finding>().notNull(),
    /** All four are null when nothing moved; a null commit is a ref that is not there. */
    place: text('place'),
    ref: text('ref'),
    before: text('commit_before'),
    after: text('commit_after'),
    evidence: text('evidence').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.actId, table.position] })],
);

export const approvalRequests = sqliteTable(
  'approval_requests',
  {
    ...owner,
    ...source,
    requestId: text('request_id').notNull(),
    turnId: text('turn_id'),
    toolId: text('tool_id'),
    kind: text('kind').notNull(),
    toolName: text('tool_name').notNull(),
    acts: text('acts', { mode: 'json' }).$type<readonly ActKind[]>().notNull(),
    inputSha256: text('input_sha256').notNull(),
    expiresAt: integer('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.requestId] }),
    index('approvals_by_time').on(table.accountId, table.at, table.requestId),
  ],
);

export const approvalDecisions = sqliteTable(
  'approval_decisions',
  {
    ...owner,
    ...source,
    requestId: text('request_id').notNull(),
    /** What a person answered, and what became of it at the engine, are two facts. */
    origin: text('origin', { enum: ['person', 'engine'] }).notNull(),
    decision: text('decision').notNull(),
    answerSha256: text('answer_sha256'),
    channel: text('channel'),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.requestId, table.position] })],
);
