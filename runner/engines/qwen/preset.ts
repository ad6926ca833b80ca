import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { parseJson } from '../../json.ts';
import { step } from '../draft.ts';
import type { Engine, EngineCapabilities, EngineHome, EngineLaunch, SpawnPlan } from '../engine.ts';
import { engineEnvironment } from '../environment.ts';
import { withoutComments } from '../../json-comments.ts';
import { sayPolicy } from '../told-policy.ts';
import { claudePermissions } from '../tool-policy.ts';
import { qwenBooks } from './books.ts';
import { answer, instruct, interrupt, openingLine } from './encode.ts';
import {
  ownSettings,
  qwenHome,
  SESSION_SETTINGS,
  settingsPath,
  systemSettingsOf,
  variableFiles,
} from './home.ts';
import { readLine } from './parse.ts';
import { addressesOf, routeQwen } from './route.ts';
import { openState, type QwenState } from './state.ts';
import { readExit } from './turns.ts';
import { join } from 'node:path';

/** Names by which qwen, or an editor's window around it, tells a process that it runs inside. */
const NESTED_VARIABLES = [
  'QWEN_CODE',
  'QWEN_CODE_CLI',
  'QWEN_CODE_LAUNCHER_PID',
  'QWEN_CODE_MODEL_IDENTITY',
  'QWEN_CODE_PROJECT_DIR',
  'QWEN_CODE_PROMPT_ID',
  'QWEN_CODE_SESSION_ID',
  /^QWEN_CODE_IDE_/,
  'AI_AGENT',
] as const;

/** Environment names whose values are credentials of the providers that qwen knows by them. */
const SECRET_VARIABLES = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'DASHSCOPE_API_KEY',
  'BAILIAN_CODING_PLAN_API_KEY',
  'BAILIAN_TOKEN_PLAN_API_KEY',
  'OPENROUTER_API_KEY',
] as const;

/** What we add where the person has not chosen: one process, and a word less on its error output. */
const ADDED = { QWEN_CODE_NO_RELAUNCH: 'true', QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' } as const;

function approvalModeOf(approvals: ApprovalsMode): string {
  switch (approvals) {
    case 'ask':
      return 'default';
    case 'accept_edits':
      return 'auto-edit';
    case 'plan':
      return 'plan';
    case 'bypass':
      return 'yolo';
    default:
      return approvals satisfies never;
  }
}

/**
 * Tools that its model is not offered. Agents beside the conversation call tools of which no line
 * tells (seen on 0.24.4), and its questions are none of the protocol that is read here.
 */
const WITHOUT = ['agent', 'send_message', 'ask_user_question'] as const;

/** What the policy of the session denies, in its own words, which it took over from claude's. */
function deniedBy({ launch }: EngineLaunch): string[] {
  const { tools } = launch.policy?.policy ?? DEFAULT_POLICY;
  return claudePermissions(tools).deny;
}

/** The words that a headless process and its terminal have in common. */
function commonWords(launch: EngineLaunch): string[] {
  const { model, approvals } = launch.launch;
  return [
    '--approval-mode',
    approvalModeOf(approvals),
    ...[...WITHOUT, ...deniedBy(launch)].map((rule) => `--exclude-tools=${rule}`),
    '--append-system-prompt',
    sayPolicy(launch, { capabilities: CAPABILITIES }),
    ...(model ? ['--model', model] : []),
  ];
}

function planQwen(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  return {
    argv: [
      launch.executable,
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--include-partial-messages',
      ...commonWords(launch),
      launch.resume ? '--resume' : '--session-id',
      launch.engineSessionId,
    ],
    directory: launch.directory,
    env: qwenEnvironment(env),
  };
}

/** Its own terminal, on the same conversation and under the same permissions. */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  return {
    argv: [launch.executable, ...commonWords(launch), '--resume', launch.engineSessionId],
    directory: launch.directory,
    env: qwenEnvironment(env),
  };
}

/** Settings for the whole machine stay where there are some: the probe says what they must say. */
export const qwenEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  engineEnvironment(env, NESTED_VARIABLES, {
    ...ADDED,
    ...(systemSettingsOf(env) === null && { QWEN_CODE_SYSTEM_SETTINGS_PATH: SESSION_SETTINGS }),
  });

const secretFiles = (env: NodeJS.ProcessEnv): string[] => [
  ...variableFiles(env),
  settingsPath(env),
  join(qwenHome(env), 'oauth_creds.json'),
  join(qwenHome(env), 'mcp-oauth-tokens.json'),
];

function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const own = qwenHome(env);
  const kept = ['.env', 'QWEN.md', 'output-language.md', 'skills', 'commands'];
  return {
    own: [own],
    settings: [
      { path: settingsPath(env), without: withoutConnectors },
      ...kept.map((name) => ({ path: join(own, name) })),
    ],
    logins: [],
    programs: [SESSION_SETTINGS],
  };
}

/** The settings without servers that bring tokens of their own; comments go with them. */
function withoutConnectors(text: string): string {
  const settings = parseJson(withoutComments(text));
  if (typeof settings !== 'object' || settings === null) return text;
  return JSON.stringify({ ...settings, mcpServers: {} });
}

const CAPABILITIES: EngineCapabilities = {
  turnEnd: 'event',
  usage: 'tokens',
  namesModel: true,
  acts: 'structured',
  approvals: true,
  interrupt: true,
  resume: true,
  keys: true,
};

/** Qwen Code, headless: one process, many turns, any provider that speaks OpenAI's protocol. */
export const qwen: Engine<QwenState> = {
  id: 'qwen',
  label: 'Qwen Code',
  form: null,
  modes: ['ask', 'accept_edits', 'plan', 'bypass'],
  tellsPolicy: 'beside',
  capabilities: CAPABILITIES,
  nestedVariables: NESTED_VARIABLES,
  secretVariables: SECRET_VARIABLES,
  secretFiles,
  ownModel: (env) => env['OPENAI_MODEL'] ?? ownSettings(env).model?.name ?? null,
  modelRoute: (env, credential) => routeQwen(env, credential, ownSettings(env)),
  modelAddresses: (env) => addressesOf(env, ownSettings(env)),
  home: homeNeeds,
  plan: planQwen,
  interactivePlan: planTerminal,
  terminalBooks: qwenBooks,
  open: (launch, before) => ({
    state: openState(launch, before),
    items: [openingLine(launch.launchId)],
  }),
  parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
  exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
  encodeInstruction: (state, turn, at) => step(state, at, (draft) => instruct(draft, turn)),
  encodeAnswer: (state, request, given, at) =>
    step(state, at, (draft) => answer(draft, request, given)),
  encodeInterrupt: (state, at) => step(state, at, (draft) => interrupt(draft)),
};
