import { approvalsMode } from '../../../protocol/launch.ts';
import type { EnginePreset } from '../../../protocol/preset.ts';
import { allowedEnvironment } from '../custom/environment.ts';
import type { Engine, EngineLaunch, SpawnPlan } from '../engine.ts';
import { engineEnvironment } from '../environment.ts';
import { createAcpEngine } from './engine.ts';
import type { AcpState } from './state.ts';

/**
 * Any program that speaks the Agent Client Protocol over its standard input and output, as a
 * person described it: its command line is theirs to the word. What it asks about is its own
 * choice, and so is what it tells of its cost: `usage: 'told'` says how that is recorded.
 * `known`: marks and credentials of the engines that it may be, or may start in its turn.
 */
export function createAnyAcpEngine(
  preset: EnginePreset,
  known: Pick<Engine, 'nestedVariables' | 'secretVariables' | 'secretFiles'>,
): Engine<AcpState> {
  const plan = (launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan => ({
    argv: [launch.executable, ...preset.command.slice(1)],
    directory: launch.directory,
    env: engineEnvironment(allowedEnvironment(env, preset.env), known.nestedVariables, {}),
  });
  return {
    ...createAcpEngine({
      id: preset.id,
      label: preset.label,
      form: null,
      // It is told of none of them: what it does unasked was approved on the machine.
      modes: approvalsMode.options,
      ...known,
      plan,
      traits: {
        usage: 'told',
        loginAdvice:
          'The agent has no login that works, or its provider refused it. Log in with its own program on that machine, or replace the key in the environment of the runner.',
      },
    }),
    ...(preset.env && { keptVariables: preset.env }),
  };
}
