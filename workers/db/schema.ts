import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { ReportCounts } from '../../protocol/decisions.ts';
import type { Grade } from '../../protocol/grade.ts';
import type {
  AccountId,
  ActorId,
  DecisionKeyId,
  DecisionReportId,
  InstanceId,
  RunnerId,
  SessionId,
} from '../../protocol/ids.ts';
import type { EnginePreset } from '../../protocol/preset.ts';
import type { SessionState } from '../../protocol/session.ts';
import type { Payer, Provenance, SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import { flag, owner, source } from './columns.ts';

export {
  acts,
  actOutcomes,
  actWitnesses,
  approvalDecisions,
  approvalRequests,
} from './act-tables.ts';
export { brainKeys } from './brain-tables.ts';
export { breaches, breachOverrides } from './breach-tables.ts';
export { chainLinks } from './chain-tables.ts';
export {
  driveLooks,
  driveReports,
  drives,
  gateAnswers,
  gateDecisions,
  gateOutcomes,
  gateWaiting,
} from './gate-tables.ts';
export { githubAsks, githubChannels, githubComments } from './github-tables.ts';
export { mcpKeys } from './mcp-tables.ts';
export { operatorDefinitions, operatorInstances } from './operator-tables.ts';
export { paneRecords } from './pane-tables.ts';
export { mergePolicies } from './policy-tables.ts';
export { pushDevices, pushKeys } from './push-tables.ts';
export { pilotDecisions, pilotRuns, pilotSteps } from './pilot-tables.ts';

// Mutable tables: named, few, each a registration or a projection of a feed.

export const accounts = sqliteTable('accounts', {
  accountId: text('account_id').$type<AccountId>().primaryKey(),
  actorId: text('actor_id').$type<ActorId>().notNull(),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const runners = sqliteTable(
  'runners',
  {
    runnerId: text('runner_id').$type<RunnerId>().primaryKey(),
    ...owner,
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('runners_by_account').on(table.accountId, table.runnerId)],
);

export const CREDENTIAL_KINDS = ['link', 'session', 'cli', 'runner', 'pairing'] as const;

export const credentials = sqliteTable(
  'credentials',
  {
    /** SHA-256 of the token in hex; the token itself is known to its holder alone. */
    tokenHash: text('token_hash').primaryKey(),
    ...owner,
    kind: text('kind', { enum: CREDENTIAL_KINDS }).notNull(),
    name: text('name').notNull(),
    /** The runner that a runner token is for. */
    runnerId: text('runner_id').$type<RunnerId>(),
    createdAt: integer('created_at').notNull(),
    /** Null never expires. */
    expiresAt: integer('expires_at'),
    /** When a one-time link was used, or the credential was withdrawn. */
    endedAt: integer('ended_at'),
  },
  (table) => [index('credentials_by_runner').on(table.accountId, table.runnerId)],
);

export const sessions = sqliteTable(
  'sessions',
  {
    sessionId: text('session_id').$type<SessionId>().primaryKey(),
    ...owner,
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    title: text('title').notNull(),
    engineId: text('engine_id').notNull(),
    rehearsal: flag('rehearsal').notNull(),
    directory: text('directory'),
    /** How much power it holds; null until its checkout is made, or from before there were grades. */
    grade: text('grade').$type<Grade>(),
    state: text('state').$type<SessionState>().notNull(),
    reason: text('reason'),
    /** When and by whom its failure was dismissed; null while nobody did. */
    dismissedAt: integer('dismissed_at'),
    dismissedBy: text('dismissed_by').$type<ActorId>(),
    pendingApprovals: integer('pending_approvals').notNull(),
    /** When an approval expired unanswered; null once somebody gave the next instruction. */
    approvalExpiredAt: integer('approval_expired_at'),
    spend: text('spend', { mode: 'json' }).$type<SpendTotals>().notNull(),
    acts: integer('acts').notNull(),
    /** Breaches that nobody has answered for. */
    breaches: integer('breaches').notNull().default(0),
    /** The feed position that this row shows; a late writer with an older one changes nothing. */
    position: integer('position').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('sessions_by_account').on(table.accountId, table.createdAt, table.sessionId),
    index('sessions_by_runner').on(
      table.accountId,
      table.runnerId,
      table.createdAt,
      table.sessionId,
    ),
  ],
);

/** Which feeds a credential has sockets on, so that its end reaches them all at once. */
export const viewedFeeds = sqliteTable(
  'viewed_feeds',
  {
    tokenHash: text('token_hash').notNull(),
    sessionId: text('session_id').$type<SessionId>().notNull(),
    ...owner,
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.sessionId] })],
);

/** Keys of builds. Apart from credentials: such a key is of one repository and signs nobody in. */
export const decisionKeys = sqliteTable(
  'decision_keys',
  {
    keyId: text('key_id').$type<DecisionKeyId>().primaryKey(),
    ...owner,
    repository: text('repository').notNull(),
    name: text('name').notNull(),
    /** SHA-256 of the token in hex; the token itself is known to its holder alone. */
    tokenHash: text('token_hash').notNull(),
    madeBy: text('made_by', { enum: ['person', 'cli'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [
    uniqueIndex('decision_keys_by_token').on(table.tokenHash),
    index('decision_keys_by_account').on(table.accountId, table.repository, table.keyId),
  ],
);

/** What builds posted. A row is never changed; the oldest of a branch go when many are kept. */
export const decisionReports = sqliteTable(
  'decision_reports',
  {
    reportId: text('report_id').$type<DecisionReportId>().primaryKey(),
    ...owner,
    keyId: text('key_id').$type<DecisionKeyId>().notNull(),
    repository: text('repository').notNull(),
    branch: text('branch').notNull(),
    /** Empty when the build did not know it: a key column cannot be null. */
    commit: text('commit_sha').notNull(),
    mode: text('mode', { enum: ['full', 'change'] }).notNull(),
    exitCode: integer('exit_code').$type<0 | 1 | 2>().notNull(),
    toolVersion: text('tool_version').notNull(),
    startedAt: integer('started_at').notNull(),
    receivedAt: integer('received_at').notNull(),
    counts: text('counts', { mode: 'json' }).$type<ReportCounts>().notNull(),
    /** The whole report as JSON. Last, so that a list of the others does not read it from disk. */
    report: text('report').notNull(),
  },
  (table) => [
    uniqueIndex('decision_reports_once').on(
      table.accountId,
      table.repository,
      table.commit,
      table.startedAt,
    ),
    index('decision_reports_by_branch').on(
      table.accountId,
      table.repository,
      table.branch,
      table.startedAt,
      table.reportId,
    ),
  ],
);

// Ledgers: append-only, by trigger.

/** The account's own engines: each save is a further version, a removal too. */
export const enginePresets = sqliteTable(
  'engine_presets',
  {
    ...owner,
    presetId: text('preset_id').notNull(),
    version: integer('version').notNull(),
    /** Null: it was removed. */
    preset: text('preset', { mode: 'json' }).$type<EnginePreset>(),
    savedBy: text('saved_by', { enum: ['person', 'cli'] }).notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.presetId, table.version] })],
);

export const usageEntries = sqliteTable(
  'usage_entries',
  {
    ...owner,
    ...source,
    /** The session, or the instance whose agent it was. */
    sessionId: text('session_id').$type<SessionId | InstanceId>().notNull(),
    /** Empty when the engine spent outside any turn: a key column cannot be null. */
    turnId: text('turn_id').notNull(),
    model: text('model').notNull(),
    /** The runner's own number of the event, so that a repeated event is the same row. */
    sourceSeq: integer('source_seq').notNull(),
    /** Which of the event's entries for this model: nearly always 0. */
    ordinal: integer('ordinal').notNull(),
    engineId: text('engine_id').notNull(),
    directory: text('directory'),
    provenance: text('provenance').$type<Provenance>().notNull(),
    payer: text('payer').$type<Payer>().notNull(),
    bucket: text('bucket').$type<SpendBucket>().notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cacheReadTokens: integer('cache_read_tokens').notNull(),
    cacheWriteTokens: integer('cache_write_tokens').notNull(),
    /** Null is "no price known", which is not zero. */
    microUsd: integer('micro_usd'),
  },
  (table) => [
    primaryKey({
      columns: [table.sessionId, table.turnId, table.model, table.sourceSeq, table.ordinal],
    }),
    index('usage_by_time').on(table.accountId, table.at, table.sessionId, table.sourceSeq),
    index('usage_by_session').on(table.accountId, table.sessionId, table.at),
  ],
);

/** Sums that a trigger keeps with each entry that is added, so that both are always one. */
const summed = {
  provenance: text('provenance').$type<Provenance>().notNull(),
  payer: text('payer').$type<Payer>().notNull(),
  bucket: text('bucket').$type<SpendBucket>().notNull(),
  microUsd: integer('micro_usd').notNull(),
  inputTokens: integer('input_tokens').notNull(),
  outputTokens: integer('output_tokens').notNull(),
  cacheReadTokens: integer('cache_read_tokens').notNull(),
  cacheWriteTokens: integer('cache_write_tokens').notNull(),
  entries: integer('entries').notNull(),
  unpriced: integer('unpriced').notNull(),
};

/** Entries summed by day: as many rows as days and choices, however many entries there are. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    accountId: owner.accountId,
    /** Days since 1970 in UTC. */
    day: integer('day').notNull(),
    engineId: text('engine_id').notNull(),
    /** Empty for a session without a directory of its own: a key column cannot be null. */
    directory: text('directory').notNull(),
    model: text('model').notNull(),
    ...summed,
  },
  (table) => [
    primaryKey({
      columns: [
        table.accountId,
        table.day,
        table.engineId,
        table.directory,
        table.model,
        table.provenance,
        table.payer,
      ],
    }),
  ],
);

/** Entries summed by session and day. Apart, because there are far more sessions than choices. */
export const usageSessionDays = sqliteTable(
  'usage_session_days',
  {
    accountId: owner.accountId,
    day: integer('day').notNull(),
    sessionId: text('session_id').$type<SessionId>().notNull(),
    ...summed,
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.day, table.sessionId, table.provenance, table.payer],
    }),
  ],
);

/** Entries summed by session over all time, in the order in which sessions are shown. */
export const usageSessions = sqliteTable(
  'usage_sessions',
  {
    accountId: owner.accountId,
    sessionId: text('session_id').$type<SessionId>().notNull(),
    ...summed,
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.sessionId, table.provenance, table.payer] }),
  ],
);

export const accessLog = sqliteTable(
  'access_log',
  {
    requestId: text('request_id').primaryKey(),
    ...owner,
    principalKind: text('principal_kind').notNull(),
    principalName: text('principal_name').notNull(),
    operation: text('operation').notNull(),
    /** The path that was asked for: it names its object and never a secret. */
    target: text('target').notNull(),
    status: integer('status').notNull(),
    errorCode: text('error_code'),
    at: integer('at').notNull(),
  },
  (table) => [index('access_log_by_time').on(table.accountId, table.at)],
);
