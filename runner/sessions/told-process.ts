import type { Engine, EngineLaunch, EngineTurn, SpawnPlan } from '../engines/engine.ts';
import { stripVariables } from '../process/spawn.ts';
import type { SpawnedProcess } from './session-io.ts';

/**
 * A process as a person is told of it, to run the same by hand: its command before the model gate
 * leads it, which has no place for their own key, and, of a sealed one, without a conversation that
 * is in the seal alone. The environment is named as far as the process was given it. Pure.
 */
export function tellProcess(
  engine: Pick<Engine, 'plan' | 'nestedVariables'>,
  asked: { launch: EngineLaunch; env: NodeJS.ProcessEnv; turn: EngineTurn | undefined },
  started: { pid: number; plan: SpawnPlan },
): SpawnedProcess {
  const { sealed, env } = started.plan;
  const launch = sealed ? { ...asked.launch, resume: false } : asked.launch;
  const { argv, directory } = engine.plan(launch, asked.env, asked.turn);
  return {
    pid: started.pid,
    argv: [...argv],
    directory,
    environment: Object.keys(stripVariables(env, engine.nestedVariables)).toSorted(),
  };
}
