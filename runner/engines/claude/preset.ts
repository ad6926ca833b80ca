import { join } from 'node:path';
import { z } from 'zod';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { parseJson } from '../../json.ts';
import type { EngineCapabilities, EngineHome, EngineLaunch, SpawnPlan } from '../engine.ts';
import { engineEnvironment } from '../environment.ts';
import { claudeAside } from './aside.ts';
import { conversationWords, SPEAKS_LINES } from './encode.ts';
import { claudeFork } from './fork.ts';
import { claudeBooks } from './books.ts';
import { sayPolicy } from '../told-policy.ts';
import { claudePermissions } from '../tool-policy.ts';
import { createStreamJsonEngine } from './engine.ts';
import { ownLimit } from './own-limit.ts';
import { homeOf } from '../../home.ts';
import { routeClaude } from './route.ts';

/**
 * Names by which claude knows that it runs inside another session. Only these are taken out of
 * its environment; a person's settings (CLAUDE_CONFIG_DIR, provider switches, tokens) stay.
 */
export const NESTED_VARIABLES = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  /^CLAUDE_CODE_REMOTE/,
  'AI_AGENT',
] as const;

/** Environment names whose values are credentials of claude. */
const SECRET_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
] as const;

/** Its API, and where a subscription's login is renewed. */
const ADDRESSES = [
  'https://api.anthropic.com',
  'https://platform.claude.com',
  'https://console.anthropic.com',
] as const;

/** What we add where the person has not chosen: no self-update and no side traffic in mid-work. */
const ADDED = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' } as const;

export function permissionModeOf(approvals: ApprovalsMode): string {
  switch (approvals) {
    case 'ask':
      return 'default';
    case 'accept_edits':
      return 'acceptEdits';
    case 'plan':
      return 'plan';
    case 'bypass':
      return 'bypassPermissions';
    default:
      return approvals satisfies never;
  }
}

/** The tool policy of the session, in claude's own words: it denies before anybody is asked. */
function settingsOf({ launch }: EngineLaunch): string[] {
  const { tools } = launch.policy?.policy ?? DEFAULT_POLICY;
  return ['--settings', JSON.stringify({ permissions: claudePermissions(tools) })];
}

/**
 * Connectors come with tokens of their own, and those of an account or of the checkout are in no
 * file that the seal leaves out: in it claude takes those of its command line alone, which has none.
 */
const connectorsOf = ({ sealed }: EngineLaunch): string[] =>
  sealed ? ['--strict-mcp-config'] : [];

/** The policy of the session in words, beside claude's own instructions. */
const toldOf = (launch: EngineLaunch): string[] => [
  '--append-system-prompt',
  sayPolicy(launch, { capabilities: CAPABILITIES }),
];

const CAPABILITIES: EngineCapabilities = {
  turnEnd: 'event',
  usage: 'dollars',
  acts: 'structured',
  approvals: true,
  interrupt: true,
  resume: true,
  keys: true,
  steer: true,
};

/** Plans the process: everything secret stays in `env`, everything in `argv` may be shown. */
function planClaude(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      ...SPEAKS_LINES,
      '--include-partial-messages',
      '--replay-user-messages',
      '--permission-prompt-tool',
      'stdio',
      '--permission-mode',
      permissionModeOf(approvals),
      ...settingsOf(launch),
      ...connectorsOf(launch),
      ...toldOf(launch),
      ...conversationWords(launch),
      ...ownLimit(launch.maxMicroUsd),
      ...(model ? ['--model', model] : []),
    ],
    directory: launch.directory,
    env: spawnEnvironment(env),
  };
}

export const configDirectory = (env: NodeJS.ProcessEnv): string =>
  env['CLAUDE_CONFIG_DIR'] ?? join(homeOf(env), '.claude');

/** Its state file and its plugins stay behind: connectors stand in them, with tokens of their own. */
function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const own = configDirectory(env);
  const kept = ['settings.json', 'CLAUDE.md', 'agents', 'commands', 'skills', 'output-styles'];
  return {
    own: [own],
    settings: kept.map((name) => ({ path: join(own, name) })),
    begun: [{ path: stateFile(env), begin: beginState }],
    logins: [join(own, '.credentials.json')],
  };
}

const stateFile = (env: NodeJS.ProcessEnv): string =>
  join(env['CLAUDE_CONFIG_DIR'] ?? homeOf(env), '.claude.json');

/** What its terminal asks of whoever opens it first; which directory to trust is asked anyway. */
const ANSWERS = ['hasCompletedOnboarding', 'theme', 'customApiKeyResponses', 'oauthAccount'];

function beginState(text: string): string | null {
  const state = z.record(z.string(), z.unknown()).safeParse(parseJson(text));
  if (!state.success) return null;
  const kept = Object.entries(state.data).filter(([name]) => ANSWERS.includes(name));
  return JSON.stringify(Object.fromEntries(kept));
}

/** Its own terminal, on the same conversation and under the same permissions. */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { model, approvals } = launch.launch;
  return {
    argv: [
      launch.executable,
      '--resume',
      launch.engineSessionId,
      '--permission-mode',
      permissionModeOf(approvals),
      ...settingsOf(launch),
      ...connectorsOf(launch),
      ...toldOf(launch),
      ...(model ? ['--model', model] : []),
    ],
    directory: launch.directory,
    env: spawnEnvironment(env),
  };
}

/**
 * Where claude must not go unasked: it refuses to as root, which it is in every session of a runner
 * of root but a sealed one. A machine that is a sandbox as a whole says so to claude in its environment.
 */
export const refusedToRoot = (
  env: NodeJS.ProcessEnv,
  uid = process.getuid?.(),
): readonly ApprovalsMode[] => (uid === 0 && env['IS_SANDBOX'] !== '1' ? ['bypass'] : []);

/** Its stored login, its settings, whose `env` it gives to its tools, and the keys in its state. */
function secretFiles(env: NodeJS.ProcessEnv): string[] {
  const home = homeOf(env);
  const own = configDirectory(env);
  const names = ['.credentials.json', 'settings.json', 'settings.local.json', '.claude.json'];
  return [...names.map((name) => join(own, name)), join(home, '.claude.json')];
}

export const spawnEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  engineEnvironment(env, NESTED_VARIABLES, ADDED);

/** Anthropic's claude, headless: one process, many turns. */
export const claude = createStreamJsonEngine({
  id: 'claude',
  label: 'Claude Code',
  form: null,
  modes: ['ask', 'accept_edits', 'plan', 'bypass'],
  rehearsal: false,
  sealedOnly: (env) => refusedToRoot(env),
  tellsPolicy: 'beside',
  capabilities: CAPABILITIES,
  nestedVariables: NESTED_VARIABLES,
  secretVariables: SECRET_VARIABLES,
  secretFiles,
  modelRoute: (env, credential) => routeClaude(env, credential, configDirectory(env)),
  modelAddresses: (env) => [...ADDRESSES, env['ANTHROPIC_BASE_URL'] ?? ''],
  home: homeNeeds,
  plan: planClaude,
  interactivePlan: planTerminal,
  terminalBooks: claudeBooks,
  aside: claudeAside(spawnEnvironment),
  fork: claudeFork,
});
