import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mentionFile } from '../../../protocol/find-files.ts';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { patch, step } from '../draft.ts';
import type { Engine, EngineHome, EngineLaunch, EngineTurn, SpawnPlan } from '../engine.ts';
import { parseJson } from '../../json.ts';
import { engineEnvironment } from '../environment.ts';
import { withoutComments } from '../../json-comments.ts';
import { asPlainText } from '../plain-text.ts';
import { noBooks } from '../terminal-books.ts';
import { geminiAside } from './aside.ts';
import { parseSelectedType } from './credential.ts';
import { readExit } from './exit.ts';
import { readLine } from './parse.ts';
import { addressesOf, routeGemini } from './route.ts';
import { type GeminiState, openState } from './state.ts';
import { homeOf } from '../../home.ts';
import { PRODUCT_ROOT } from '../../host/layout.ts';

/** Names by which gemini, or an editor's window around it, tells a process that it runs inside. */
const NESTED_VARIABLES = ['GEMINI_CLI', 'GEMINI_PTY_INFO', /^GEMINI_CLI_IDE_/, 'AI_AGENT'] as const;

/** Environment names whose values are credentials of gemini. */
const SECRET_VARIABLES = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_CLOUD_ACCESS_TOKEN',
  'GEMINI_CLI_CUSTOM_HEADERS',
] as const;

/** What we add where the person has not chosen: one process, whose exit is the turn's end. */
const ADDED = { GEMINI_CLI_NO_RELAUNCH: 'true' } as const;

/**
 * Without anybody to ask, gemini offers its model only the tools that need no question: reading
 * in `default` and `plan`, editing in `auto_edit`, the shell in `yolo` alone.
 */
function approvalModeOf(approvals: ApprovalsMode): string {
  switch (approvals) {
    case 'ask':
      return 'default';
    case 'accept_edits':
      return 'auto_edit';
    case 'plan':
      return 'plan';
    case 'bypass':
      return 'yolo';
    default:
      return approvals satisfies never;
  }
}

/** A rule of the highest priority that a policy of the person's own may have: no subagents. */
const NO_SUBAGENTS = join(PRODUCT_ROOT, 'runner/engines/gemini/no-subagents.toml');

/**
 * A turn's output tells of a subagent's spend and of no call that it makes (seen on 0.61.0), so
 * that nobody would know what it did. A policy that is named takes the place of the person's own
 * ones, which are named with it.
 */
const withoutSubagents = (env: NodeJS.ProcessEnv): string[] => [
  '--policy',
  join(geminiHome(env), '.gemini', 'policies'),
  '--policy',
  NO_SUBAGENTS,
];

/**
 * Plans the process of one turn. The instruction goes in by standard input: it may be long, and
 * the arguments of a process are everybody's to read.
 */
function planGemini(launch: EngineLaunch, env: NodeJS.ProcessEnv, turn?: EngineTurn): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      '--output-format',
      'stream-json',
      '--skip-trust',
      '--approval-mode',
      approvalModeOf(approvals),
      ...withoutSubagents(env),
      launch.resume ? '--resume' : '--session-id',
      launch.engineSessionId,
      ...(model ? ['--model', model] : []),
      // It reads nothing outside of the directories that it works in.
      ...directoriesOf(turn).flatMap((directory) => ['--include-directories', directory]),
    ],
    directory: launch.directory,
    env: geminiEnvironment(env),
    input: asPlainText(turn ? pointingTo(turn) : ''),
  };
}

const directoriesOf = ({ images = [] }: Partial<EngineTurn> = {}): string[] => [
  ...new Set(images.map(({ path }) => dirname(path))),
];

/** The instruction with its images after an `@`, where gemini reads them in with it. */
const pointingTo = ({ text, images = [] }: EngineTurn): string =>
  [text, ...images.map(({ path }) => mentionFile(path, 'escaped'))].join('\n\n');

/** Its own terminal, on the same conversation and under the same permissions. */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      '--skip-trust',
      '--approval-mode',
      approvalModeOf(approvals),
      '--resume',
      launch.engineSessionId,
      ...(model ? ['--model', model] : []),
    ],
    directory: launch.directory,
    env: geminiEnvironment(env),
  };
}

/** Where gemini has its own directory, and looks for a file of variables. */
export const geminiHome = (env: NodeJS.ProcessEnv): string => env['GEMINI_CLI_HOME'] ?? homeOf(env);

/** The login that its settings choose; null for none, or settings that may not be read. */
function readSelectedType(env: NodeJS.ProcessEnv): string | null {
  try {
    return parseSelectedType(
      readFileSync(join(geminiHome(env), '.gemini', 'settings.json'), 'utf8'),
    );
  } catch {
    return null;
  }
}

function secretFiles(env: NodeJS.ProcessEnv): string[] {
  const home = geminiHome(env);
  const names = ['.env', 'oauth_creds.json', 'mcp-oauth-tokens.json', 'settings.json'];
  return [...names.map((name) => join(home, '.gemini', name)), join(home, '.env')];
}

function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const own = join(geminiHome(env), '.gemini');
  const logins = ['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json'];
  return {
    own: [own],
    settings: [
      { path: join(own, 'settings.json'), without: withoutConnectors },
      ...['.env', 'GEMINI.md', 'installation_id'].map((name) => ({ path: join(own, name) })),
    ],
    logins: logins.map((name) => join(own, name)),
    programs: [NO_SUBAGENTS],
  };
}

/** The settings without servers that bring tokens of their own; comments go with them. */
function withoutConnectors(text: string): string {
  const settings = parseJson(withoutComments(text));
  if (typeof settings !== 'object' || settings === null) return text;
  return JSON.stringify({ ...settings, mcpServers: {} });
}

export const geminiEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  engineEnvironment(env, NESTED_VARIABLES, ADDED);

/** Google's gemini, headless: a process per turn. */
export const gemini: Engine<GeminiState> = {
  id: 'gemini',
  label: 'Gemini CLI',
  form: null,
  modes: ['accept_edits', 'plan', 'bypass'],
  tellsPolicy: 'before',
  capabilities: {
    turnEnd: 'exit',
    usage: 'tokens',
    namesModel: true,
    acts: 'structured',
    approvals: false,
    interrupt: true,
    resume: true,
    keys: true,
  },
  nestedVariables: NESTED_VARIABLES,
  secretVariables: SECRET_VARIABLES,
  secretFiles,
  modelNames: /^gemini-/,
  modelRoute: (env, credential) => routeGemini(env, credential, readSelectedType(env)),
  modelAddresses: addressesOf,
  home: homeNeeds,
  plan: planGemini,
  interactivePlan: planTerminal,
  // Its conversation's file has the answers' tokens and not those of its helper models.
  terminalBooks: noBooks('auto', (state) => state),
  aside: geminiAside(geminiEnvironment),
  open: (launch) => ({ state: openState(launch), items: [] }),
  parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
  exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
  encodeInstruction: (state, { turnId }, at) =>
    step(state, at, (draft) => patch(draft, { pending: turnId })),
  // It asks nobody, so that there is nothing to answer.
  encodeAnswer: (state) => ({ state, items: [] }),
  encodeInterrupt: (state, at) =>
    step(state, at, (draft) => {
      patch(draft, { interrupting: true });
      draft.items.push({ kind: 'signal', signal: 'SIGINT' });
    }),
};
