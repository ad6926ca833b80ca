import { and, count, desc, eq, gt, lt, ne } from 'drizzle-orm';
import { GATE_RATE, type GateSaid } from '../../protocol/gate.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import { AGENT_PERMISSION } from '../../protocol/pane-question.ts';
import { type Database, openDatabase } from '../db/client.ts';
import { drives, gateAnswers, gateDecisions, gateOutcomes, gateWaiting } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { insertTold } from '../ledger/append.ts';
import type { ToldActs } from './act-rows.ts';

export type DecisionRow = typeof gateDecisions.$inferSelect;
export type WaitingRow = typeof gateWaiting.$inferSelect;
export type OutcomeRow = typeof gateOutcomes.$inferSelect;
export type DriveRow = typeof drives.$inferSelect;

type Call = { instanceId: InstanceId; callId: string };

const ofCall = (
  table: typeof gateDecisions | typeof gateAnswers | typeof gateOutcomes | typeof gateWaiting,
  { instanceId, callId }: Call,
) => and(eq(table.instanceId, instanceId), eq(table.callId, callId));

/** The last decision on a call; null before the first. */
export async function readDecision(database: Database, call: Call): Promise<DecisionRow | null> {
  const [row] = await database
    .select()
    .from(gateDecisions)
    .where(ofCall(gateDecisions, call))
    .orderBy(desc(gateDecisions.step))
    .limit(1);
  return row ?? null;
}

/**
 * Puts a decision on record and answers the one that stands: of two at once, the first. `waiting`
 * is what a person is shown; `told` is what the call would do, and how that ended with a no.
 */
export async function appendDecision(
  database: Database,
  row: DecisionRow,
  waiting: WaitingRow | null,
  told: ToldActs = NOTHING_TOLD,
): Promise<DecisionRow> {
  const decide = database.insert(gateDecisions).values(row).onConflictDoNothing();
  const rows = insertTold(database, told);
  if (waiting)
    await database.batch([
      decide,
      database.insert(gateWaiting).values(waiting).onConflictDoNothing(),
      // Nobody is shown them any more, and they hold what would have been typed.
      database.delete(gateWaiting).where(lt(gateWaiting.expiresAt, row.at)),
    ]);
  else
    await database.batch([
      decide,
      database.delete(gateWaiting).where(ofCall(gateWaiting, row)),
      ...rows,
    ]);
  return (await readDecision(database, row)) ?? row;
}

const NOTHING_TOLD: ToldActs = { acts: [], ends: [] };

/** What a person said to a call; null while nobody did. */
export async function readAnswer(
  database: Database,
  call: Call,
): Promise<typeof gateAnswers.$inferSelect | null> {
  const [row] = await database.select().from(gateAnswers).where(ofCall(gateAnswers, call)).limit(1);
  return row ?? null;
}

/**
 * Puts a person's answer on record and answers what stands: their first word, or an earlier one.
 * What they were shown is forgotten with it.
 */
export async function appendAnswer(
  database: Database,
  row: typeof gateAnswers.$inferSelect,
): Promise<GateSaid> {
  await database.batch([
    database.insert(gateAnswers).values(row).onConflictDoNothing(),
    database.delete(gateWaiting).where(ofCall(gateWaiting, row)),
  ]);
  return (await readAnswer(database, row))?.answer ?? row.answer;
}

/** Puts what became of a call on record, the write that it was, and how its acts ended. */
export async function appendOutcome(
  database: Database,
  outcome: OutcomeRow,
  drive: DriveRow | null,
  ends: ToldActs['ends'] = [],
): Promise<void> {
  await database.batch([
    database.insert(gateOutcomes).values(outcome).onConflictDoNothing(),
    ...(drive ? [database.insert(drives).values(drive).onConflictDoNothing()] : []),
    ...insertTold(database, { acts: [], ends }),
  ]);
}

/** Whether a call is on record as carried out. */
export async function isDone(database: Database, call: Call): Promise<boolean> {
  const [row] = await database
    .select({ status: gateOutcomes.status })
    .from(gateOutcomes)
    .where(and(ofCall(gateOutcomes, call), eq(gateOutcomes.status, 'done')))
    .limit(1);
  return row !== undefined;
}

/**
 * Calls of an instance in the last window beside this one, whatever became of them. What a coding agent
 * asks in a terminal that the instance started is none of its own.
 */
export async function countCalls(
  env: Pick<Env, 'DB'>,
  { instanceId, callId }: Call,
  nowMs: number,
): Promise<number> {
  const [row] = await openDatabase(env.DB)
    .select({ calls: count() })
    .from(gateDecisions)
    .where(
      and(
        eq(gateDecisions.instanceId, instanceId),
        eq(gateDecisions.step, 0),
        ne(gateDecisions.callId, callId),
        ne(gateDecisions.tool, AGENT_PERMISSION),
        gt(gateDecisions.at, nowMs - GATE_RATE.windowMs),
      ),
    );
  return row?.calls ?? 0;
}
