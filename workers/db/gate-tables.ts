import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActKind } from '../../protocol/act.ts';
import type { ReportedModel } from '../../protocol/drive-report.ts';
import type { DriveLook } from '../../protocol/drive-witness.ts';
import type {
  GateActor,
  GateDecisionRow,
  GateRule,
  GateStatus,
  GateTool,
} from '../../protocol/gate.ts';
import type { InstanceId, OperatorId, RunnerId } from '../../protocol/ids.ts';
import type { AGENT_PERMISSION, AskedPermission } from '../../protocol/pane-question.ts';
import type { TerminalCall, TerminalReceipt, TerminalRisk } from '../../protocol/terminal.ts';
import { flag, owner } from './columns.ts';

/** Whose call it is. */
const called = {
  ...owner,
  instanceId: text('instance_id').$type<InstanceId>().notNull(),
  /** The caller's own name of it. */
  callId: text('call_id').notNull(),
};
const said = {
  operatorId: text('operator_id').$type<OperatorId>().notNull(),
  runnerId: text('runner_id').$type<RunnerId>().notNull(),
  tool: text('tool').$type<GateTool>().notNull(),
  target: text('target'),
  at: integer('at').notNull(),
};

/** What the gate decided, before anything was done. What was in the call is not here. */
export const gateDecisions = sqliteTable(
  'gate_decisions',
  {
    ...called,
    /** 0, and counted on for a further decision on the same call: after an answer, or a later no. */
    step: integer('step').notNull(),
    ...said,
    actor: text('actor', { mode: 'json' }).$type<GateActor>().notNull(),
    definitionVersion: integer('definition_version').notNull(),
    risk: text('risk').$type<TerminalRisk>().notNull(),
    callSha256: text('call_sha256').notNull(),
    callBytes: integer('call_bytes').notNull(),
    effect: text('effect').$type<GateDecisionRow['effect']>().notNull(),
    rule: text('rule').$type<GateRule>(),
    reason: text('reason').notNull(),
    /** What the command would do, by kinds. */
    acts: text('acts', { mode: 'json' }).$type<readonly ActKind[]>().notNull(),
    /** The coding agent in the terminal, by its processes; null: none was found. */
    aiCli: text('ai_cli'),
    /** Of one that asks: when the answer is no by itself. */
    expiresAt: integer('expires_at'),
    /** SHA-256 of what the machine showed of the terminal: a person's yes is to that alone. */
    seenSha256: text('seen_sha256'),
  },
  (table) => [
    primaryKey({ columns: [table.instanceId, table.callId, table.step] }),
    index('gate_decisions_by_instance').on(table.instanceId, table.at, table.callId, table.step),
  ],
);

/** What a person said to a call; the first word stands. */
export const gateAnswers = sqliteTable(
  'gate_answers',
  {
    ...called,
    answer: text('answer', { enum: ['once', 'instance', 'deny'] }).notNull(),
    channel: text('channel').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.instanceId, table.callId] })],
);

/** What became of an allowed call. One that was `unknown` may be known later, as a further row. */
export const gateOutcomes = sqliteTable(
  'gate_outcomes',
  {
    ...called,
    status: text('status').$type<GateStatus>().notNull(),
    code: text('code'),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.instanceId, table.callId, table.status] })],
);

/** Writes to terminals: what cannot be known of their cost says so. */
export const drives = sqliteTable(
  'drives',
  {
    ...called,
    ...said,
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    receipt: text('receipt').$type<TerminalReceipt | 'unknown'>().notNull(),
    metering: text('metering', { enum: ['unmetered', 'self-reported'] }).notNull(),
    /** What the driven program says that it cost: never added to what was measured. */
    microUsd: integer('micro_usd'),
    /** The coding agent in the terminal, by its processes; null: none was found. */
    aiCli: text('ai_cli'),
  },
  (table) => [
    primaryKey({ columns: [table.instanceId, table.callId] }),
    index('drives_by_time').on(table.accountId, table.at),
  ],
);

/** What a driven program wrote down of its own cost, after a write. A drive without one is unmetered. */
export const driveReports = sqliteTable(
  'drive_reports',
  {
    ...called,
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    engine: text('engine').notNull(),
    at: integer('at').notNull(),
    models: text('models', { mode: 'json' }).$type<readonly ReportedModel[]>().notNull(),
    /** Micro-USD of the models that have a price, by list prices. */
    microUsd: integer('micro_usd').notNull(),
    /** A model of it has no price. */
    unpriced: flag('unpriced').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cacheReadTokens: integer('cache_read_tokens').notNull(),
    cacheWriteTokens: integer('cache_write_tokens').notNull(),
  },
  (table) => [primaryKey({ columns: [table.instanceId, table.callId] })],
);

/** Where the refs were looked at once a write had had its effect, and what moved that is nobody's. */
export const driveLooks = sqliteTable(
  'drive_looks',
  {
    ...called,
    runnerId: text('runner_id').$type<RunnerId>().notNull(),
    at: integer('at').notNull(),
    /** Top of the repository that the terminal stood in. */
    directory: text('directory').notNull(),
    /** `others` are moves whose author is not known. */
    look: text('look', { mode: 'json' }).$type<DriveLook>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.instanceId, table.callId] })],
);

/** What an agent in a terminal asks, in the place of a call. */
type AskedCall = { tool: typeof AGENT_PERMISSION; params: AskedPermission };

/** Calls that wait for a person, with what is in them: gone once answered or too old. Mutable. */
export const gateWaiting = sqliteTable(
  'gate_waiting',
  {
    ...called,
    call: text('call', { mode: 'json' }).$type<TerminalCall | AskedCall>().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.instanceId, table.callId] }),
    index('gate_waiting_by_account').on(table.accountId, table.expiresAt),
  ],
);
