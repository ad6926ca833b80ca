import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AccountId, ActorId, RunnerId, SessionId } from '../../protocol/ids.ts';
import { isPilotOver, type PilotStatus } from '../../protocol/pilot.ts';
import type { Database } from '../db/client.ts';
import { pilotRuns, pilotSteps } from '../db/schema.ts';
import { begin } from './core/begin.ts';
import { decide } from './core/decide.ts';
import type { PilotEvent, PilotState } from './core/state.ts';
import type { RunPolicy } from './policy.ts';

/**
 * How long a driver is taken for alive without a look at it, in ms: a decision may take an hour, and
 * whoever makes it may be gone in its first minute.
 */
const LEASE_MS = 60_000;

/** A run as its row says; `state` is null before its first step. */
export type PilotRun = {
  sessionId: SessionId;
  accountId: AccountId;
  actorId: ActorId;
  runnerId: RunnerId;
  generation: number;
  waitKey: string | null;
  policy: RunPolicy | null;
  status: PilotStatus;
  reason: string;
  finishedAt: number | null;
  createdAt: number;
  updatedAt: number;
  state: PilotState | null;
};

type RunOwner = Pick<PilotRun, 'sessionId' | 'accountId' | 'actorId' | 'runnerId'>;

/** The run of a session; null when it has none. */
export async function readRun(database: Database, sessionId: SessionId): Promise<PilotRun | null> {
  const rows = await database.select().from(pilotRuns).where(eq(pilotRuns.sessionId, sessionId));
  const row = rows[0];
  if (!row) return null;
  return {
    ...row,
    // Our own rows, written from checked values.
    state: row.state === null ? null : (JSON.parse(row.state) as PilotState),
    policy: row.policy === null ? null : (JSON.parse(row.policy) as RunPolicy),
  };
}

/** Notes that a session has a Pilot, before anything is started. Again for the same changes nothing. */
export async function registerRun(
  database: Database,
  owner: RunOwner,
  nowMs: number,
): Promise<void> {
  await database
    .insert(pilotRuns)
    .values({
      ...owner,
      generation: 0,
      step: 0,
      status: 'deciding',
      reason: 'The run begins.',
      createdAt: nowMs,
      updatedAt: nowMs,
      dueAt: nowMs,
    })
    .onConflictDoNothing();
}

/** Writes the first step, with the policy that holds for the whole run. */
export async function beginRun(
  database: Database,
  run: PilotRun,
  event: Extract<PilotEvent, { type: 'began' }>,
  policy: RunPolicy,
): Promise<void> {
  await write(database, run, 0, event, begin(event), policy);
}

/** Closes a run that could not even begin. */
export async function failRun(
  database: Database,
  sessionId: SessionId,
  reason: string,
  nowMs: number,
): Promise<void> {
  await database
    .update(pilotRuns)
    .set({ status: 'failed', reason, finishedAt: nowMs, updatedAt: nowMs, waitKey: null })
    .where(and(eq(pilotRuns.sessionId, sessionId), eq(pilotRuns.step, 0)));
}

/**
 * Applies an event to the state that was read, and records both what happened and what is to be
 * done next. `overtaken`: another step was recorded meanwhile, and nothing was written. An event
 * that means `nothing` writes nothing.
 */
export async function applyEvent(
  database: Database,
  run: PilotRun & { state: PilotState },
  event: PilotEvent,
): Promise<'recorded' | 'nothing' | 'overtaken'> {
  const next = decide(run.state, event);
  if (next === run.state) return 'nothing';
  const written = await write(database, run, run.state.step, event, next, null);
  return written ? 'recorded' : 'overtaken';
}

async function write(
  database: Database,
  { sessionId, accountId, actorId }: PilotRun,
  from: number,
  event: PilotEvent,
  next: PilotState,
  policy: RunPolicy | null,
): Promise<boolean> {
  const { status, reason, effect, step } = next;
  const by = event.type === 'asked' ? event.actorId : actorId;
  const over = isPilotOver(status) && effect === null;
  // The step's key decides who was first: the trigger ignores the other, and then no row moves on.
  const [, moved] = await database.batch([
    database.insert(pilotSteps).values({
      sessionId,
      accountId,
      actorId: by,
      step,
      at: event.at,
      event: JSON.stringify(event),
      status,
      reason,
      effect: effect && JSON.stringify(effect),
    }),
    database
      .update(pilotRuns)
      .set({
        step,
        status,
        reason,
        state: JSON.stringify(next),
        ...(policy && { policy: JSON.stringify(policy) }),
        updatedAt: event.at,
        dueAt: over ? null : event.at + LEASE_MS,
        finishedAt: over ? event.at : null,
      })
      .where(and(eq(pilotRuns.sessionId, sessionId), eq(pilotRuns.step, from)))
      .returning({ step: pilotRuns.step }),
  ]);
  return moved.length === 1;
}

/**
 * Notes what wakes the driver from here on, before it looks whether it has to wait at all. False
 * when the run has moved on from this step.
 */
export async function noteWait(
  database: Database,
  { sessionId, step }: { sessionId: SessionId; step: number },
  waitKey: string,
  dueAt: number,
): Promise<boolean> {
  const noted = await database
    .update(pilotRuns)
    .set({ waitKey, dueAt })
    .where(and(eq(pilotRuns.sessionId, sessionId), eq(pilotRuns.step, step)))
    .returning({ step: pilotRuns.step });
  return noted.length === 1;
}

/** Its driver was looked after: it is taken for alive again, unless the run has moved on since. */
export async function renewLease(
  database: Database,
  sessionId: SessionId,
  { lateAt, nowMs }: { lateAt: number; nowMs: number },
): Promise<void> {
  await database
    .update(pilotRuns)
    .set({ dueAt: nowMs + LEASE_MS })
    .where(and(eq(pilotRuns.sessionId, sessionId), sql`${pilotRuns.dueAt} <= ${lateAt}`));
}

/** Gives the run another driver, unless somebody else just did. */
export async function nextGeneration(
  database: Database,
  sessionId: SessionId,
  generation: number,
): Promise<void> {
  await database
    .update(pilotRuns)
    .set({ generation: generation + 1, waitKey: null })
    .where(and(eq(pilotRuns.sessionId, sessionId), eq(pilotRuns.generation, generation)));
}

/** What is needed to find a run's driver. */
export type Driven = Pick<PilotRun, 'sessionId' | 'accountId' | 'generation' | 'waitKey'>;

/** Runs that are not over, in pages by session; of those that are due by `dueBy`, where it is given. */
export async function listUnfinished(
  database: Database,
  after: string,
  limit: number,
  dueBy: number | null,
): Promise<Driven[]> {
  const { sessionId, accountId, generation, waitKey } = pilotRuns;
  return database
    .select({ sessionId, accountId, generation, waitKey })
    .from(pilotRuns)
    .where(
      and(
        isNull(pilotRuns.finishedAt),
        sql`${pilotRuns.sessionId} > ${after}`,
        dueBy === null ? undefined : sql`${pilotRuns.dueAt} <= ${dueBy}`,
      ),
    )
    .orderBy(pilotRuns.sessionId)
    .limit(limit);
}
