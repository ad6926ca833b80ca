import type { Engine, EngineLaunch, EngineTurn, SpawnPlan } from '../engines/engine.ts';
import { stripVariables } from '../process/spawn.ts';
import type { SpawnedProcess } from './session-io.ts';

/**
 * A process as a person is told of it, to run the same by hand: its command before the model gate
 * leads it, which has no place for their own key, and, of a sealed one, without a conversation that
 * is in the seal alone. The environment is named as far as the process was given it. What opens a
 * conversation that is there by then is told beside: no engine begins one id twice, and claude refuses
 * to resume without words where it is typed (seen on 2.1.332). Pure.
 */
export function tellProcess(
  engine: Pick<Engine, 'plan' | 'interactivePlan' | 'nestedVariables'>,
  asked: { launch: EngineLaunch; env: NodeJS.ProcessEnv; turn: EngineTurn | undefined },
  started: { pid: number; plan: SpawnPlan },
): SpawnedProcess {
  const { sealed, env } = started.plan;
  const { forkOf: _, ...unforked } = asked.launch;
  const launch = sealed ? { ...asked.launch, resume: false } : asked.launch;
  const planOf = (each: EngineLaunch) => engine.plan(each, asked.env, asked.turn);
  const { argv, directory } = planOf(launch);
  const reopen = (): SpawnPlan => {
    const again = { ...unforked, resume: true };
    return engine.interactivePlan?.(again, asked.env) ?? planOf(again);
  };
  const names = !sealed && argv.includes(launch.engineSessionId);
  return {
    pid: started.pid,
    argv: [...argv],
    directory,
    environment: Object.keys(stripVariables(env, engine.nestedVariables)).toSorted(),
    ...(names && { resumed: [...reopen().argv] }),
  };
}
