import { PilothouseError } from '../../protocol/errors.ts';
import type { LaunchRequest } from '../../protocol/http.ts';
import type { RunnerId, SessionId, TurnId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { defaultSilenceMs } from '../../protocol/machine.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { readLaunchPreset } from '../engines/read.ts';
import type { Env } from '../env.ts';
import { newId } from '../lib/crypto.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf, relayOf } from '../lib/stubs.ts';
import { requireRunner } from '../runners/register.ts';

/**
 * Launches a session on a runner. Throws `runner_not_found`, and `runner_offline` when the
 * machine is known to be away: a launch is refused then, not queued out of sight.
 */
export async function launchSession(
  env: Env,
  database: Database,
  principal: Principal,
  request: LaunchRequest & { runnerId: RunnerId },
  nowMs: number,
): Promise<{ sessionId: SessionId; turnId: TurnId }> {
  const { runnerId, ...spec } = request;
  const { accountId, actorId } = principal;
  await requireRunner(database, accountId, runnerId);
  const { presence, machine } = await relayOf(env, accountId, runnerId).readStatus();
  if (presence === 'offline') throw new PilothouseError('runner_offline', { runnerId });
  const sessionId = newId('ses', nowMs);
  const turnId = newId('trn', nowMs);
  const preset = await readLaunchPreset(database, accountId, spec.engineId);
  const noOutputMs = spec.noOutputMs ?? defaultSilenceMs(machine?.limits);
  const launch = launchSpec.parse({ ...spec, noOutputMs, preset });
  unwrap(await feedOf(env, accountId, sessionId).create({ runnerId, actorId, launch, turnId }));
  return { sessionId, turnId };
}
