import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import {
  explainDecision,
  type DriveCost,
  type GateDecisionRow,
  type GateRequest,
  gateStatus,
} from '../../protocol/gate.ts';
import type { AccountId, InstanceId } from '../../protocol/ids.ts';
import type { DriveLook } from '../../protocol/drive-witness.ts';
import { z } from 'zod';
import type { Database } from '../db/client.ts';
import {
  driveLooks,
  driveReports,
  drives,
  gateAnswers,
  gateDecisions,
  gateOutcomes,
  gateWaiting,
} from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

const became = z.object({ status: gateStatus, code: z.string().nullable() }).nullable();

/**
 * The most that is known of what became of a call, as JSON. The columns outside are named in full:
 * those of a query over one table are written without it, and would be those of `told`.
 */
const outcome = sql<string | null>`(
  SELECT json_object('status', status, 'code', code) FROM ${gateOutcomes} AS told
  WHERE told.instance_id = ${gateDecisions}.instance_id AND told.call_id = ${gateDecisions}.call_id
  ORDER BY CASE told.status WHEN 'done' THEN 0 WHEN 'unknown' THEN 1 ELSE 2 END LIMIT 1
)`;

/** A page of an instance's decisions, newest first, each explained. */
export async function listGateDecisions(
  database: Database,
  accountId: AccountId,
  instanceId: InstanceId,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<GateDecisionRow>> {
  const [at, call, step] = parseCursor(query.cursor, 3);
  const before =
    at === undefined
      ? undefined
      : sql`(${gateDecisions.at}, ${gateDecisions.callId}, ${gateDecisions.step}) < (${numberOf(at)}, ${call}, ${numberOf(step)})`;
  const rows = await database
    .select({
      decision: gateDecisions,
      outcome,
      drive: drives.callId,
      report: driveReports,
      look: driveLooks.look,
    })
    .from(gateDecisions)
    .leftJoin(drives, sameCall(drives))
    .leftJoin(driveReports, sameCall(driveReports))
    .leftJoin(driveLooks, sameCall(driveLooks))
    .where(
      and(eq(gateDecisions.accountId, accountId), eq(gateDecisions.instanceId, instanceId), before),
    )
    .orderBy(desc(gateDecisions.at), desc(gateDecisions.callId), desc(gateDecisions.step))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, ({ decision }) => [
    decision.at,
    decision.callId,
    decision.step,
  ]);
  return { items: items.map(toRow), nextCursor };
}

const sameCall = (table: typeof drives | typeof driveReports | typeof driveLooks) =>
  and(eq(table.instanceId, gateDecisions.instanceId), eq(table.callId, gateDecisions.callId));

function costOf(report: typeof driveReports.$inferSelect | null): DriveCost {
  if (!report) return { metering: 'unmetered' };
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = report;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const microUsd = report.unpriced ? null : report.microUsd;
  return { metering: 'self-reported', microUsd, tokens };
}

function toRow({
  decision,
  outcome: told,
  drive,
  report,
  look,
}: {
  decision: typeof gateDecisions.$inferSelect;
  outcome: string | null;
  drive: string | null;
  report: typeof driveReports.$inferSelect | null;
  look: DriveLook | null;
}): GateDecisionRow {
  const end = became.parse(told === null ? null : JSON.parse(told));
  const allowed = decision.effect === 'allow';
  return {
    callId: decision.callId,
    step: decision.step,
    at: decision.at,
    actor: decision.actor,
    definitionVersion: decision.definitionVersion,
    tool: decision.tool,
    risk: decision.risk,
    target: decision.target,
    callSha256: decision.callSha256,
    callBytes: decision.callBytes,
    effect: decision.effect,
    rule: decision.rule,
    reason: decision.reason,
    acts: [...decision.acts],
    outcome: allowed ? (end?.status ?? null) : null,
    code: allowed ? (end?.code ?? null) : null,
    explanation: explainDecision(decision),
    cost: allowed && drive !== null ? costOf(report) : null,
    look: allowed ? look : null,
  };
}

/** Calls that wait for a person now, the oldest first; of one instance, or of all. */
export async function listRequests(
  database: Database,
  accountId: AccountId,
  nowMs: number,
  instanceId?: InstanceId,
): Promise<GateRequest[]> {
  const same = (table: typeof gateDecisions | typeof gateAnswers) =>
    and(eq(table.instanceId, gateWaiting.instanceId), eq(table.callId, gateWaiting.callId));
  const rows = await database
    .select({ waiting: gateWaiting, decision: gateDecisions })
    .from(gateWaiting)
    .innerJoin(gateDecisions, and(same(gateDecisions), eq(gateDecisions.effect, 'ask')))
    .leftJoin(gateAnswers, same(gateAnswers))
    .where(
      and(
        eq(gateWaiting.accountId, accountId),
        gt(gateWaiting.expiresAt, nowMs),
        isNull(gateAnswers.callId),
        instanceId && eq(gateWaiting.instanceId, instanceId),
      ),
    )
    .orderBy(gateDecisions.at);
  return rows.map(({ waiting, decision }) => ({
    callId: waiting.callId,
    instanceId: waiting.instanceId,
    actor: decision.actor,
    tool: decision.tool,
    risk: decision.risk,
    target: decision.target,
    params: waiting.call.params,
    rule: decision.rule ?? 'consent',
    reason: decision.reason,
    at: decision.at,
    expiresAt: waiting.expiresAt,
  }));
}
