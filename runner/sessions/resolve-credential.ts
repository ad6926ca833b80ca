import type { Engine, EngineLaunch } from '../engines/engine.ts';
import { type LaunchPorts, notReady } from './launcher.ts';

/**
 * By which credential a process will work, and who pays: as found on the machine, or, where the
 * process gets another environment than the machine's (a seal, an engine's own list of variables),
 * looked at again in exactly that one, at the moment of its start. Names, never values. Throws
 * `LaunchRefused` when nothing is left there to work with.
 */
export async function resolveCredential(
  { probe }: Pick<LaunchPorts, 'probe'>,
  engine: Engine,
  launch: EngineLaunch,
  env: { machine: NodeJS.ProcessEnv; process: Readonly<Record<string, string>> },
): Promise<EngineLaunch> {
  const names = [...engine.secretVariables, launch.credential ?? ''];
  if (names.every((name) => env.machine[name] === env.process[name])) return launch;
  const readiness = await probe(engine, env.process);
  if (!readiness.ready) throw notReady(readiness);
  const { payer, credential } = readiness;
  return { ...launch, payer, credential };
}
