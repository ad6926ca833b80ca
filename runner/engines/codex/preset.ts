import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { patch, step } from '../draft.ts';
import type {
  Engine,
  EngineCapabilities,
  EngineHome,
  EngineLaunch,
  EngineTurn,
  SpawnPlan,
} from '../engine.ts';
import { engineEnvironment } from '../environment.ts';
import { sayPolicy } from '../told-policy.ts';
import { codexAside } from './aside.ts';
import { codexBooks } from './books.ts';
import { parseOwnModel } from './credential.ts';
import { codexHome } from './home.ts';
import { readLine } from './parse.ts';
import { addressesOf, routeCodex } from './route.ts';
import { type CodexState, openState } from './state.ts';
import { holdTurn, readExit } from './turns.ts';

/** Names that codex sets for the tools that it runs, and its npm launcher for codex. */
const NESTED_VARIABLES = [
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_CI',
  'CODEX_VERSION',
  /^CODEX_SANDBOX/,
  /^CODEX_MANAGED_/,
  'AI_AGENT',
] as const;

/**
 * Codex would write the whole environment into a file of its home, so that its shells start faster:
 * the credentials in it would lie on the disk, where they have no business.
 */
export const WITHOUT_SNAPSHOTS = ['-c', 'features.shell_snapshot=false'] as const;

/**
 * A process per turn tells neither what its subagents spend nor what they do (seen on 0.171.0): they
 * are switched off where nobody would see them, whatever the person's configuration or the model say.
 */
const WITHOUT_SUBAGENTS = [
  '-c',
  'agents.enabled=false',
  '-c',
  'features.multi_agent_v2=false',
] as const;

const CAPABILITIES: EngineCapabilities = {
  turnEnd: 'exit',
  usage: 'tokens',
  acts: 'structured',
  approvals: false,
  interrupt: true,
  resume: true,
  keys: true,
};

/** The policy of the session in words, beside codex's own instructions. */
export const toldPolicy = (launch: EngineLaunch): string =>
  sayPolicy(launch, { capabilities: CAPABILITIES });

const toldOf = (launch: EngineLaunch): string[] => [
  '-c',
  `developer_instructions=${JSON.stringify(toldPolicy(launch))}`,
];

/** Environment names whose values are credentials of codex. */
const SECRET_VARIABLES = ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'OPENAI_API_KEY'] as const;

/**
 * `exec` never asks: what the sandbox does not allow fails. Its working sandbox lets files of the
 * directory be edited, and neither the network nor `.git`.
 */
function sandboxOf(approvals: ApprovalsMode): string {
  switch (approvals) {
    case 'ask':
    case 'plan':
      return 'read-only';
    case 'accept_edits':
      return 'workspace-write';
    case 'bypass':
      return 'danger-full-access';
    default:
      return approvals satisfies never;
  }
}

/**
 * Plans the process of one turn. The instruction goes in by standard input (`-`): it may be long,
 * and the arguments of a process are everybody's to read. Flags stand before `resume`, which
 * knows only some of them.
 */
function planCodex(launch: EngineLaunch, env: NodeJS.ProcessEnv, turn?: EngineTurn): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      ...WITHOUT_SNAPSHOTS,
      ...WITHOUT_SUBAGENTS,
      ...toldOf(launch),
      'exec',
      // Before a flag: it takes every word up to the next one for a further image.
      ...(turn?.images ?? []).flatMap(({ path }) => ['--image', path]),
      '--json',
      '--sandbox',
      sandboxOf(approvals),
      '--skip-git-repo-check',
      ...(model ? ['--model', model] : []),
      ...(launch.resume ? ['resume', launch.engineSessionId] : []),
      '-',
    ],
    directory: launch.directory,
    env: withTools(codexEnvironment(env), launch.executable),
    input: turn?.text ?? '',
  };
}

/**
 * Its own terminal. Codex would keep the thread in a daemon beside it, which every codex of the
 * person shares and which goes on when the terminal is closed: neither the lease nor the seal
 * would hold. Without the daemon the terminal is the one process that has the thread.
 */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      ...WITHOUT_SNAPSHOTS,
      ...toldOf(launch),
      'resume',
      '--no-daemon',
      '--sandbox',
      sandboxOf(approvals),
      '--ask-for-approval',
      approvals === 'bypass' ? 'never' : 'on-request',
      ...(model ? ['--model', model] : []),
      launch.engineSessionId,
    ],
    directory: launch.directory,
    env: withTools(codexEnvironment(env), launch.executable),
  };
}

export const codexEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  engineEnvironment(env, NESTED_VARIABLES, {});

/** The text of codex's own configuration; empty for none, or one that may not be read. */
export function readConfig(env: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(join(codexHome(env), 'config.toml'), 'utf8');
  } catch {
    return '';
  }
}

function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const own = codexHome(env);
  const kept = ['AGENTS.md', 'AGENTS.override.md', 'prompts', 'skills', 'rules'];
  return {
    own: [own],
    settings: [
      { path: join(own, 'config.toml'), without: withoutConnectors },
      ...kept.map((name) => ({ path: join(own, name) })),
    ],
    logins: [join(own, 'auth.json')],
    // codex 0.171.0 asks for a new token and throws it away where the file has a second name.
    loginsApart: true,
  };
}

/** The configuration without the servers and programs that it starts beside the model's tools. */
function withoutConnectors(text: string): string {
  const { mcp_servers: _servers, notify: _notify, ...rest } = parse(text);
  return stringify(rest);
}

/** What its npm launcher does: the search tool that the package brings comes last on the path. */
export function withTools(env: Record<string, string>, executable: string): Record<string, string> {
  const path = [env['PATH'], join(dirname(dirname(executable)), 'codex-path')];
  return { ...env, PATH: path.filter(Boolean).join(delimiter) };
}

/** OpenAI's codex where nobody is asked: a process per turn. */
export const codex: Engine<CodexState> = {
  id: 'codex',
  label: 'Codex',
  form: null,
  modes: ['plan', 'bypass'],
  tellsPolicy: 'beside',
  capabilities: CAPABILITIES,
  nestedVariables: NESTED_VARIABLES,
  secretVariables: SECRET_VARIABLES,
  secretFiles: (env) =>
    ['auth.json', '.env', 'config.toml'].map((name) => join(codexHome(env), name)),
  modelNames: /^gpt-/,
  ownModel: (env) => parseOwnModel(readConfig(env)),
  modelRoute: (env, credential) => routeCodex(env, credential, readConfig(env)),
  modelAddresses: (env) => addressesOf(env, readConfig(env)),
  home: homeNeeds,
  plan: planCodex,
  interactivePlan: planTerminal,
  terminalBooks: codexBooks(),
  aside: codexAside((launch, env) => withTools(codexEnvironment(env), launch.executable)),
  open: (launch, before) => ({ state: openState(launch, before), items: [] }),
  parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
  exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
  encodeInstruction: (state, { turnId }, at) => step(state, at, (draft) => holdTurn(draft, turnId)),
  // It asks nobody, so that there is nothing to answer.
  encodeAnswer: (state) => ({ state, items: [] }),
  encodeInterrupt: (state, at) =>
    step(state, at, (draft) => {
      const { turn } = draft.state;
      patch(draft, { turn: turn && { ...turn, interrupting: true } });
      draft.items.push({ kind: 'signal', signal: 'SIGINT' });
    }),
};
