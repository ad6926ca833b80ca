import { join } from 'node:path';
import { z } from 'zod';
import type { Payer } from '../../../protocol/usage.ts';
import { parseJson } from '../../json.ts';
import type { EngineProbe } from '../engine.ts';
import { askExecutable, askVersion, findExecutable, isOlder } from '../executable.ts';
import { notInstalled, withoutVersion } from '../install.ts';
import { spawnEnvironment } from './preset.ts';

/** The oldest version whose stream-json and control protocol the parser was proven on. */
const MIN_VERSION = [2, 1, 0] as const;

const LOGIN =
  'Run `claude` once on this machine and log in, or set ANTHROPIC_API_KEY in the environment of the runner.';

type Finding = Awaited<ReturnType<EngineProbe>>;

const APPROVALS: Finding['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];

/** Looks for claude, its version and its credential. Reads names of credentials, never values. */
export const probeClaude: EngineProbe = async (env) => {
  const home = env['HOME'];
  const places = home ? [join(home, '.local', 'bin'), join(home, '.claude', 'local')] : [];
  const executable = findExecutable('claude', env, 'PILOTHOUSE_CLAUDE', places);
  const found = { engineId: 'claude', label: 'Claude Code', executable, approvals: APPROVALS };
  const nothing = { version: null, payer: 'unknown' as const, credential: null, ready: false };
  if (!executable) return { ...found, ...nothing, ...notInstalled('claude') };
  const asked = await askVersion(executable, spawnEnvironment(env));
  const { version } = asked;
  if (!version) return { ...found, ...nothing, ...withoutVersion(executable, asked) };
  if (isOlder(version, MIN_VERSION)) {
    const problem = `claude ${version} is too old; ${MIN_VERSION.join('.')} is the oldest that works.`;
    return {
      ...found,
      ...nothing,
      version,
      problem,
      remedy: 'Run `claude update`.',
      failure: 'engine_too_old',
    };
  }
  const credential = credentialInEnvironment(env) ?? (await readAuthStatus(executable, env));
  if (credential)
    return { ...found, version, ...credential, ready: true, problem: null, remedy: null };
  return {
    ...found,
    ...nothing,
    version,
    problem: 'claude is not logged in.',
    remedy: LOGIN,
    failure: 'auth_missing',
  };
};

type Credential = { payer: Payer; credential: string };

/** In claude's own order: a provider switch, then a token, then a key. */
const IN_ENVIRONMENT: readonly (readonly [name: string, payer: Payer])[] = [
  ['CLAUDE_CODE_USE_BEDROCK', 'api-key'],
  ['CLAUDE_CODE_USE_VERTEX', 'api-key'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'api-key'],
  ['ANTHROPIC_AUTH_TOKEN', 'api-key'],
  ['ANTHROPIC_API_KEY', 'api-key'],
  ['CLAUDE_CODE_OAUTH_TOKEN', 'subscription'],
];

export function credentialInEnvironment(env: NodeJS.ProcessEnv): Credential | null {
  const found = IN_ENVIRONMENT.find(
    ([name]) => env[name] && env[name] !== '0' && env[name] !== 'false',
  );
  return found ? { credential: found[0], payer: found[1] } : null;
}

const authStatus = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().nullish(),
  apiKeySource: z.string().nullish(),
});

async function readAuthStatus(
  executable: string,
  env: NodeJS.ProcessEnv,
): Promise<Credential | null> {
  const output = await askExecutable(
    executable,
    ['auth', 'status', '--json'],
    spawnEnvironment(env),
  );
  return output === null ? null : parseAuthStatus(output);
}

/** Reads `claude auth status`: logged in by a subscription unless it names an API key. */
export function parseAuthStatus(output: string): Credential | null {
  const parsed = authStatus.safeParse(parseJson(output));
  if (!parsed.success || !parsed.data.loggedIn) return null;
  const { authMethod, apiKeySource } = parsed.data;
  if (apiKeySource && apiKeySource !== 'none')
    return { payer: 'api-key', credential: apiKeySource };
  return { payer: 'subscription', credential: authMethod ?? 'subscription' };
}
