import { join } from 'node:path';
import { askForm } from '../aside.ts';
import type { Aside, AsidePlan, SpawnPlan } from '../engine.ts';
import { asPlainText } from '../plain-text.ts';

const SYSTEM = 'system.md';
const POLICY = 'no-tools.toml';
/** The highest that a policy of the person's own may have. */
const NO_TOOLS = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n';
/** No extension and no server has this name. */
const NONE = 'none';

/**
 * Gemini, asked beside a conversation: its policy takes every tool from it. It cannot be held to a
 * form, so that the question asks for one. `environment` is what every process of it has.
 */
export const geminiAside = (environment: (env: NodeJS.ProcessEnv) => SpawnPlan['env']): Aside => ({
  plan: (launch, env, question): AsidePlan => ({
    argv: [
      launch.executable,
      '--output-format',
      'stream-json',
      '--skip-trust',
      '--approval-mode',
      'default',
      '--policy',
      join(launch.directory, POLICY),
      '--extensions',
      NONE,
      '--allowed-mcp-server-names',
      NONE,
      '--session-id',
      launch.engineSessionId,
      ...(launch.launch.model ? ['--model', launch.launch.model] : []),
    ],
    directory: launch.directory,
    env: { ...environment(env), GEMINI_SYSTEM_MD: join(launch.directory, SYSTEM) },
    input: asPlainText(askForm(question)),
    files: { [SYSTEM]: question.system, [POLICY]: NO_TOOLS },
  }),
});
