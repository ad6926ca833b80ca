import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { parseJson } from '../../json.ts';
import { createAcpEngine } from '../acp/engine.ts';
import type { EngineHome, EngineLaunch, SpawnPlan } from '../engine.ts';
import { withoutComments } from '../../json-comments.ts';
import { engineEnvironment } from '../environment.ts';
import { homeOf } from '../../home.ts';
import { addressesOf } from './addresses.ts';

/** Names that opencode sets for what it runs. */
const NESTED_VARIABLES = ['OPENCODE', 'OPENCODE_PID', 'AGENT', 'AI_AGENT'] as const;

/** Environment names whose values are credentials of the providers that opencode knows by them. */
const SECRET_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'OPENCODE_API_KEY',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_API_KEY',
  'OPENCODE_SERVER_PASSWORD',
] as const;

/** What we add where the person has not chosen. */
const ADDED = { OPENCODE_DISABLE_AUTOUPDATE: '1' } as const;

const READS = {
  read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  lsp: 'allow',
  todoread: 'allow',
  todowrite: 'allow',
} as const;

/**
 * A subagent's conversation is another one: its cost is in no figure that is told, and what it asks
 * reaches nobody, so that its turn would wait for ever (both seen on 1.18.33).
 */
const NO_SUBAGENTS = { task: 'deny' } as const;

/** The rules by which opencode asks, in the words of its configuration. */
export function permissionOf(approvals: ApprovalsMode): Record<string, unknown> {
  switch (approvals) {
    case 'ask':
      return { '*': 'ask', ...READS, ...NO_SUBAGENTS };
    case 'accept_edits':
      return { '*': 'ask', ...READS, edit: 'allow', ...NO_SUBAGENTS };
    case 'plan':
      return { '*': 'deny', ...READS };
    case 'bypass':
      return { '*': 'allow', ...NO_SUBAGENTS };
    default:
      return approvals satisfies never;
  }
}

/**
 * What holds for this process alone, on top of a person's own configuration, which stays as it
 * is. Titles are a model's work that opencode does not count into its cost: it makes none.
 */
function configOf(launch: EngineLaunch, own: string | undefined): string {
  const given = own === undefined ? {} : parseJson(own);
  const base = typeof given === 'object' && given !== null ? given : {};
  const agent = 'agent' in base && typeof base.agent === 'object' ? base.agent : {};
  const { model, approvals } = launch.launch;
  return JSON.stringify({
    ...base,
    agent: { ...agent, title: { disable: true } },
    permission: permissionOf(approvals),
    ...(model && { model }),
  });
}

function planOpencode(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  return {
    argv: [launch.executable, 'acp'],
    directory: launch.directory,
    env: {
      ...opencodeEnvironment(env),
      OPENCODE_CONFIG_CONTENT: configOf(launch, env['OPENCODE_CONFIG_CONTENT']),
    },
  };
}

/** Its own terminal, on the same conversation and under the same permissions. */
function planTerminal(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  const { argv, ...plan } = planOpencode(launch, env);
  return { ...plan, argv: [argv[0], '--session', launch.engineSessionId] };
}

export const opencodeEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  engineEnvironment(env, NESTED_VARIABLES, ADDED);

/** Where `opencode auth login` keeps what a person logged in with. */
export const authFileOf = (env: NodeJS.ProcessEnv): string =>
  join(ownDirectory(env, 'XDG_DATA_HOME', '.local', 'share'), 'auth.json');

/** A directory of opencode's own, by the XDG rule that its kind of files follows. */
const ownDirectory = (env: NodeJS.ProcessEnv, variable: string, ...usual: string[]): string =>
  join(env[variable] ?? join(homeOf(env), ...usual), 'opencode');

const configDirectory = (env: NodeJS.ProcessEnv): string =>
  ownDirectory(env, 'XDG_CONFIG_HOME', '.config');

function secretFiles(env: NodeJS.ProcessEnv): string[] {
  return [authFileOf(env), ...configFiles(env)];
}

const CONFIGS = ['opencode.json', 'opencode.jsonc', 'config.json'] as const;

/** The files that a person's own configuration may be in. */
export const configFiles = (env: NodeJS.ProcessEnv): string[] =>
  CONFIGS.map((name) => join(configDirectory(env), name));

function readAddresses(env: NodeJS.ProcessEnv): string[] {
  const logins = parseJson(readText(authFileOf(env)));
  const names = typeof logins === 'object' && logins !== null ? Object.keys(logins) : [];
  const files = configFiles(env).map(readText);
  return addressesOf(env, names, [...files, env['OPENCODE_CONFIG_CONTENT'] ?? '']);
}

/** Empty for a file that is not there, or may not be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Its conversations, its login and its state stand beside each other; only the login is shared. */
function homeNeeds(env: NodeJS.ProcessEnv): EngineHome {
  const config = configDirectory(env);
  const kept = ['AGENTS.md', 'agent', 'agents', 'command', 'commands', 'mode', 'plugin', 'plugins'];
  return {
    own: [
      dirname(authFileOf(env)),
      config,
      ownDirectory(env, 'XDG_STATE_HOME', '.local', 'state'),
      // What is in the usual place is kept with the other downloads of the repository.
      ...(env['XDG_CACHE_HOME'] ? [ownDirectory(env, 'XDG_CACHE_HOME')] : []),
    ],
    settings: [
      ...CONFIGS.map((name) => ({ path: join(config, name), without: withoutConnectors })),
      ...kept.map((name) => ({ path: join(config, name) })),
    ],
    logins: [authFileOf(env)],
  };
}

/** The configuration without servers that bring tokens of their own; comments go with them. */
function withoutConnectors(text: string): string {
  if (!text.includes('mcp')) return text;
  const config = parseJson(withoutComments(text));
  if (typeof config !== 'object' || config === null) return '{}';
  return JSON.stringify({ ...config, mcp: {} });
}

/** opencode, by the Agent Client Protocol: one process, many turns, any provider. */
export const opencode = createAcpEngine({
  id: 'opencode',
  label: 'OpenCode',
  form: null,
  modes: ['ask', 'accept_edits', 'bypass'],
  nestedVariables: NESTED_VARIABLES,
  secretVariables: SECRET_VARIABLES,
  secretFiles,
  modelAddresses: readAddresses,
  home: homeNeeds,
  plan: planOpencode,
  interactivePlan: planTerminal,
  traits: {
    usage: 'dollars',
    loginAdvice:
      'The provider refused the login of the engine, or there is none. Run `opencode auth login` on that machine, or replace the API key.',
  },
});
