import type { z } from 'zod';
import { machineEngines } from '../../protocol/engines.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import { LOOK_TIMEOUT_MS } from '../../protocol/machine.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { askRunner } from '../runners/ask.ts';
import { listEngines } from './read.ts';

/**
 * Asks a machine how it stands with the engines that are not in its runner's own code. One that
 * comes with the product unverified is told of only where its program is: nobody has all of them.
 */
export async function lookAtEngines(
  env: Env,
  database: Database,
  to: { accountId: AccountId; runnerId: RunnerId },
): Promise<z.infer<typeof machineEngines>> {
  const entries = (await listEngines(database, to.accountId)).filter(({ verified }) => !verified);
  const presets = entries.map(({ preset }) => preset);
  const question = {
    method: 'engines/look',
    params: { presets },
    timeoutMs: LOOK_TIMEOUT_MS,
  } as const;
  const { engines } = await askRunner(env, to, question, machineEngines);
  const own = new Set(
    entries.filter(({ origin }) => origin === 'own').map(({ preset }) => preset.id),
  );
  return {
    engines: engines.filter(({ engineId, installed }) => own.has(engineId) || installed !== false),
  };
}
