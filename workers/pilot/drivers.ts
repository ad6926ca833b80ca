import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import type { AccountId, ActorId, RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sweeperOf } from '../lib/stubs.ts';
import { type Driven, nextGeneration, readRun, registerRun } from './store.ts';

/** The name under which a driver is found; a driver that is lost is followed by another one. */
export const instanceOf = ({ sessionId, generation }: Pick<Driven, 'sessionId' | 'generation'>) =>
  `${sessionId}-${generation}`;

/**
 * An event that no driver waits for. The local runtime resumes nothing by itself after a crash,
 * and begins to work on an instance at any event for it.
 */
const WAKE = '__wake';

/** What of a record can change what its Pilot does. Text and tool calls are in the middle of a turn. */
const MATTERS: ReadonlySet<FeedEvent['type']> = new Set<FeedEvent['type']>([
  'session/created',
  'turn/ended',
  'turn/delivered',
  'turn/started',
  'command/failed',
  'launch/failed',
  'engine/ready',
  'engine/parked',
  'engine/blocked',
  'engine/unblocked',
  'session/halted',
  'session/resumed',
  'session/ended',
  'takeover/began',
  'takeover/released',
  'approval/requested',
  'approval/resolved',
]);

/** Whether an entry of a record is worth waking its Pilot. */
export const matters = ({ event }: FeedEntry): boolean => MATTERS.has(event.type);

/** Starts a driver; one that is there already stays. */
async function startDriver(env: Env, { accountId, sessionId, generation }: Driven): Promise<void> {
  const id = instanceOf({ sessionId, generation });
  try {
    await env.PILOT.create({ id, params: { accountId, sessionId, generation } });
  } catch (fault) {
    // The same name: somebody else was faster, and it only has to wake.
    const there = await env.PILOT.get(id).catch(() => null);
    if (!there) throw fault;
    await there.sendEvent({ type: WAKE, payload: null });
  }
}

/**
 * Tells the Pilot of a session that something has changed, and gives it one when it has none yet.
 * For nothing costs a row read: the driver looks for itself.
 */
export async function wakePilot(
  env: Env,
  owner: { accountId: AccountId; actorId: ActorId; sessionId: SessionId; runnerId: RunnerId },
): Promise<void> {
  const database = openDatabase(env.DB);
  const run = await readRun(database, owner.sessionId);
  if (run) return run.finishedAt === null ? signal(env, run) : undefined;
  // Watched before there is anything to watch: a run that is noted is never without.
  await sweeperOf(env).watch();
  await registerRun(database, owner, Date.now());
  await startDriver(env, { ...owner, generation: 0, waitKey: null });
}

/** Wakes a driver that waits. One that works looks by itself before it waits again. */
export async function signal(env: Env, run: Driven): Promise<void> {
  if (run.waitKey === null) return;
  const driver = await env.PILOT.get(instanceOf(run));
  await driver.sendEvent({ type: run.waitKey, payload: null });
}

const OVER: ReadonlySet<string> = new Set(['errored', 'terminated', 'complete']);

/** Makes sure that somebody drives a run: wakes its driver, or gives it another one. */
export async function lookAfter(env: Env, database: Database, run: Driven): Promise<void> {
  const driver = await env.PILOT.get(instanceOf(run)).catch(() => null);
  if (!driver) return startDriver(env, run);
  const { status } = await driver.status();
  if (!OVER.has(status)) return driver.sendEvent({ type: WAKE, payload: null });
  await nextGeneration(database, run.sessionId, run.generation);
  return startDriver(env, { ...run, generation: run.generation + 1 });
}
