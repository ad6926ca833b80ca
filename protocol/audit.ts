import { z } from 'zod';
import { actKind } from './act.ts';
import { approvalResolution } from './approval.ts';
import { chainHead } from './chain-head.ts';
import { type Columns, writeTime } from './csv.ts';
import { type ActRow, actsFilter, pageOf, pageQuery } from './http.ts';
import { actorId, requestId, sessionId } from './ids.ts';
import type { policySource } from './merge-policy.ts';
import { exportFormat } from './usage-views.ts';
import { joinWitnesses, sayWitnesses } from './witness.ts';

const auditFilter = z.object({
  sessionId: sessionId.optional(),
  /** Inclusive start and exclusive end, Unix ms. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;
const asFile = { format: exportFormat.default('csv') };

export const approvalsQuery = z.object({ ...pageQuery.shape, ...auditFilter.shape });
export const accessQuery = approvalsQuery.omit({ sessionId: true });
export const actsExportQuery = z.object({ ...actsFilter.shape, ...asFile });
export const approvalsExportQuery = z.object({ ...auditFilter.shape, ...asFile });
export const accessExportQuery = approvalsExportQuery.omit({ sessionId: true });

/** One thing that an engine asked for, who answered it from where, and what became of it. */
export const approvalRow = z.object({
  requestId,
  sessionId,
  sessionTitle: z.string(),
  kind: z.string(),
  toolName: z.string(),
  /** Acts that allowing it would commit. */
  acts: z.array(actKind),
  requestedAt: z.int(),
  expiresAt: z.int().nullable(),
  /** Null: nobody answered. */
  answer: z
    .object({
      decision: z.enum(['allow', 'deny']),
      actorId,
      /** Where the answer came from: console, cli. Null in records of earlier versions. */
      channel: z.string().nullable(),
      at: z.int(),
    })
    .nullable(),
  /** As the engine confirmed it; null while it has not. */
  resolution: z.object({ outcome: approvalResolution, at: z.int() }).nullable(),
  /** The link of the request in the chain of its session; left out where it is older. */
  link: chainHead.optional(),
});
export type ApprovalRow = z.infer<typeof approvalRow>;
export const approvalPage = pageOf(approvalRow);

/** One request that changed or read something: who, what, on what, and how it ended. */
export const accessRow = z.object({
  requestId: z.string(),
  principalKind: z.string(),
  principalName: z.string(),
  operation: z.string(),
  target: z.string(),
  status: z.int(),
  errorCode: z.string().nullable(),
  at: z.int(),
});
export type AccessRow = z.infer<typeof accessRow>;
export const accessPage = pageOf(accessRow);

/** The versions of a policy in one word: `account v3`. */
export function saySources(sources: readonly z.infer<typeof policySource>[]): string {
  if (sources.length === 0) return 'defaults';
  return sources.map(({ scope, version }) => `${scope.kind} v${version}`).join(', ');
}

/** The ledger of acts as a table. */
export const ACT_COLUMNS: Columns<ActRow> = [
  ['at', ({ at }) => writeTime(at)],
  ['session_id', (row) => row.sessionId],
  ['session_title', (row) => row.sessionTitle],
  ['act_id', (row) => row.actId],
  ['engine', (row) => row.engineId],
  ['turn_id', (row) => row.turnId],
  ['machine', (row) => row.machine?.name ?? null],
  ['runner_id', (row) => row.machine?.runnerId ?? null],
  ['person', (row) => row.actorId],
  ['behalf_of', (row) => row.behalfOf],
  ['kind', (row) => row.kind],
  ['target', (row) => row.target],
  ['command', (row) => row.command],
  ['outcome', (row) => row.outcome ?? (row.waiting ? 'waiting' : 'open')],
  ['decided_by', (row) => row.decidedBy],
  ['reason', (row) => row.reason],
  ['seen_in', (row) => sayWitnesses(joinWitnesses(row.witness, row.witnesses))],
  ['difference', (row) => joinWitnesses(row.witness, row.witnesses).difference],
  ['uncertain', (row) => row.uncertain],
  ['breach', (row) => row.breach ?? false],
  ['policy', (row) => (row.policy ? saySources(row.policy) : null)],
  ['rehearsal', (row) => row.rehearsal],
  ['chain_link', (row) => row.link?.number ?? null],
  ['chain_hash', (row) => row.link?.hash ?? null],
];

/** Approvals as a table. */
export const APPROVAL_COLUMNS: Columns<ApprovalRow> = [
  ['requested_at', (row) => writeTime(row.requestedAt)],
  ['session_id', (row) => row.sessionId],
  ['session_title', (row) => row.sessionTitle],
  ['request_id', (row) => row.requestId],
  ['kind', (row) => row.kind],
  ['tool', (row) => row.toolName],
  ['acts', (row) => row.acts.join(' ')],
  ['decision', (row) => row.answer?.decision ?? null],
  ['answered_by', (row) => row.answer?.actorId ?? null],
  ['answered_from', (row) => row.answer?.channel ?? null],
  ['answered_at', (row) => (row.answer ? writeTime(row.answer.at) : null)],
  ['outcome', (row) => row.resolution?.outcome ?? null],
  ['chain_link', (row) => row.link?.number ?? null],
  ['chain_hash', (row) => row.link?.hash ?? null],
];

/** The access log as a table. */
export const ACCESS_COLUMNS: Columns<AccessRow> = [
  ['at', (row) => writeTime(row.at)],
  ['request_id', (row) => row.requestId],
  ['who', (row) => row.principalKind],
  ['name', (row) => row.principalName],
  ['operation', (row) => row.operation],
  ['target', (row) => row.target],
  ['status', (row) => row.status],
  ['error', (row) => row.errorCode],
];
