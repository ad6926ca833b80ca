import { sentenceOf } from '../../protocol/errors.ts';
import { PILOT_ACTOR } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { policyOfRun } from './policy.ts';
import { type PilotFeed, readSessionOf } from './session.ts';
import { beginRun, failRun, type PilotRun } from './store.ts';

/**
 * Begins a run: the merge policy first, for without one nothing goes on. A session that
 * was launched without one is stopped, and its run says why. Returns whether the run began.
 */
export async function beginOrFail(
  database: Database,
  run: PilotRun,
  feed: PilotFeed,
  nowMs: number,
): Promise<boolean> {
  const { view } = await readSessionOf(feed);
  const { launch } = view;
  const [first] = view.turns;
  if (!launch.pilot || !first) {
    await failRun(database, run.sessionId, 'The session was launched without a Pilot.', nowMs);
    return false;
  }
  const policy = policyOfRun(launch);
  if (!policy) {
    await feed.request({ action: 'stop', actorId: PILOT_ACTOR });
    await failRun(database, run.sessionId, sentenceOf('policy_unreadable'), nowMs);
    return false;
  }
  const began = {
    type: 'began',
    at: view.createdAt,
    sessionId: run.sessionId,
    spec: launch.pilot,
    objective: launch.objective,
    turnId: first.turnId,
  } as const;
  await beginRun(database, run, began, policy);
  return true;
}
