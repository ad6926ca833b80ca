import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { PilotAsk } from '../../protocol/pilot.ts';
import type { Principal } from '../access/principal.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { refusalOf } from './core/asks.ts';
import { signal } from './drivers.ts';
import { requireRun } from './read.ts';
import { applyEvent } from './store.ts';

/** How often a wish is applied anew because the run moved on under it. */
const TRIES = 8;

/**
 * Pauses, resumes, stops, confirms, or changes the objective: recorded first, then the driver is
 * told. Throws `pilot_not_found`, and what {@link refusalOf} answers.
 */
export async function askPilot(
  env: Env,
  { accountId, actorId }: Pick<Principal, 'accountId' | 'actorId'>,
  sessionId: SessionId,
  ask: PilotAsk,
): Promise<void> {
  const database = openDatabase(env.DB);
  for (let tries = 0; tries < TRIES; tries++) {
    const run = await requireRun(database, accountId, sessionId);
    if (run.finishedAt !== null) throw new PilothouseError('pilot_over', { sessionId });
    if (!run.state) throw new PilothouseError('pilot_not_waiting', { sessionId });
    const refusal = refusalOf(run.state, ask);
    if (refusal) throw new PilothouseError(refusal, { sessionId, reason: run.reason });
    const event = { type: 'asked', at: Date.now(), actorId, ask } as const;
    const applied = await applyEvent(database, { ...run, state: run.state }, event);
    if (applied === 'overtaken') continue;
    // Read again: where it waits now is where it has to be told.
    await signal(env, await requireRun(database, accountId, sessionId));
    return;
  }
  throw new PilothouseError('conflict', { sessionId });
}
