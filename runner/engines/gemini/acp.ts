import { createAcpEngine } from '../acp/engine.ts';
import type { EngineLaunch, SpawnPlan } from '../engine.ts';
import { asideOf } from '../aside.ts';
import { gemini, geminiEnvironment } from './preset.ts';

function planAcp(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { model } = launch.launch;
  return {
    argv: [
      launch.executable,
      '--acp',
      '--skip-trust',
      '--approval-mode',
      'default',
      ...(model ? ['--model', model] : []),
    ],
    directory: launch.directory,
    env: geminiEnvironment(env),
  };
}

/**
 * Google's gemini where a person is asked: one process, many turns. What it tells of a turn's use
 * leaves out cached tokens, thoughts and helper models (seen on 0.61.0), and dollars made of the
 * rest would be too few: this form is unmetered. It tells neither a command's output nor its
 * exit status. It has no keys: a conversation that its terminal had in the minute before is found
 * no more by this form (seen on 0.61.0), which would lose what was said.
 */
export const geminiAcp = createAcpEngine({
  id: gemini.id,
  label: gemini.label,
  form: 'acp',
  modes: ['ask'],
  nestedVariables: gemini.nestedVariables,
  secretVariables: gemini.secretVariables,
  secretFiles: gemini.secretFiles,
  ...(gemini.home && { home: gemini.home }),
  ...(gemini.modelRoute && { modelRoute: gemini.modelRoute }),
  ...(gemini.modelAddresses && { modelAddresses: gemini.modelAddresses }),
  plan: planAcp,
  ...asideOf(gemini),
  traits: {
    usage: 'none',
    // Seen on 0.61.0.
    retellsLate: true,
    overwritesInMinute: true,
    loginAdvice:
      'The provider refused the login of the engine, or there is none. Log in with `gemini` on that machine, or replace the API key.',
  },
});
