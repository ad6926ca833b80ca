import { REHEARSAL_ENGINE_ID } from '../../../protocol/launch.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRODUCT_ROOT } from '../../host/layout.ts';
import { answerOf, asideInput } from '../claude/aside.ts';
import { conversationWords } from '../claude/encode.ts';
import { createStreamJsonEngine } from '../claude/engine.ts';
import { NESTED_VARIABLES, permissionModeOf, spawnEnvironment } from '../claude/preset.ts';
import type {
  Aside,
  AsidePlan,
  EngineFork,
  EngineHome,
  EngineLaunch,
  SpawnPlan,
} from '../engine.ts';

export const REHEARSAL_EXECUTABLE = fileURLToPath(new URL('./engine.ts', import.meta.url));

/**
 * Plans the process. What it plays and where it keeps its conversations are arguments, because
 * a session's process does not inherit this product's own variables.
 */
function planRehearsal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const script = env['PILOTHOUSE_REHEARSAL_SCRIPT'];
  return {
    argv: [
      process.execPath,
      launch.executable,
      '--permission-mode',
      permissionModeOf(launch.launch.approvals),
      ...conversationWords(launch),
      '--state',
      stateDirectory(env),
      ...(script ? ['--script', script] : []),
    ],
    directory: launch.directory,
    env: spawnEnvironment(env),
  };
}

/** It is a part of the product, and runs from its sources. */
function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const script = env['PILOTHOUSE_REHEARSAL_SCRIPT'];
  const parts = ['package.json', 'node_modules', 'protocol', 'runner'];
  return {
    own: [stateDirectory(env)],
    settings: script ? [{ path: script }] : [],
    logins: [],
    programs: parts.map((name) => join(PRODUCT_ROOT, name)),
  };
}

/** The same process with a terminal: keys in, lines out, the same conversation. */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const plan = planRehearsal({ ...launch, resume: true }, env);
  return { ...plan, argv: [...plan.argv, '--interactive'] };
}

function stateDirectory(env: NodeJS.ProcessEnv): string {
  const data = env['PILOTHOUSE_DATA'];
  return data
    ? join(data, 'runner', 'rehearsal-conversations')
    : join(tmpdir(), 'pilothouse-rehearsal-conversations');
}

/** It keeps no word of a turn, so that a conversation is forked as it is or not at all. */
const fork: EngineFork = {
  extension: 'json',
  find: async (look, engineSessionId, env) => {
    const name = `${engineSessionId}.json`;
    const names = await look.list(stateDirectory(env));
    return names.includes(name) ? join(stateDirectory(env), name) : null;
  },
  cut: (text, { nextTurnId }) => (nextTurnId === null ? text : null),
};

/** Asked for a decision: one question in, one answer out, and the end. */
const aside: Aside = {
  answerOf,
  plan: (launch, env, question): AsidePlan => {
    const plan = planRehearsal({ ...launch, resume: false }, env);
    return { ...plan, argv: [...plan.argv, '--decide'], input: asideInput(launch, question) };
  },
};

/** A scripted engine for a person who has none, and the fake engine of the tests. */
export const rehearsal = createStreamJsonEngine({
  id: REHEARSAL_ENGINE_ID,
  label: 'Rehearsal',
  form: null,
  modes: ['ask', 'accept_edits', 'bypass'],
  rehearsal: true,
  capabilities: {
    turnEnd: 'event',
    usage: 'dollars',
    acts: 'structured',
    approvals: true,
    interrupt: true,
    resume: true,
    keys: true,
    steer: true,
  },
  nestedVariables: NESTED_VARIABLES,
  secretVariables: [],
  secretFiles: () => [],
  home: homeNeeds,
  plan: planRehearsal,
  interactivePlan: planTerminal,
  aside,
  fork,
});
