import { join } from 'node:path';
import { z } from 'zod';
import type { Payer } from '../../../protocol/usage.ts';
import { parseJson } from '../../json.ts';
import type { EngineProbe, Readiness } from '../engine.ts';
import { askExecutable, askVersion, findExecutable } from '../executable.ts';
import { decideReadiness, type LoginAnswer } from '../preflight.ts';
import { configDirectory, spawnEnvironment } from './preset.ts';
import { lookAtSettings } from './settings.ts';

/** The oldest version whose stream-json and control protocol the parser was proven on. */
const MIN_VERSION = [2, 1, 0] as const;

const LOGIN =
  'Run `claude` once on this machine and log in, or set ANTHROPIC_API_KEY in the environment of the runner.';

const APPROVALS: Readiness['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];

/** Looks for claude, its version, its credential and its settings. Reads names of credentials, never values. */
export const probeClaude: EngineProbe = async (env) => {
  const home = env['HOME'];
  const places = home ? [join(home, '.local', 'bin'), join(home, '.claude', 'local')] : [];
  const executable = findExecutable('claude', env, 'PILOTHOUSE_CLAUDE', places);
  const own = spawnEnvironment(env);
  const inEnvironment = credentialInEnvironment(env);
  const ask = async (program: string) => {
    const [version, login] = await Promise.all([
      askVersion(program, own, { packages: ['@anthropic-ai/claude-code', 'claude-code'] }),
      inEnvironment ? found(inEnvironment) : askLogin(program, own),
    ]);
    return { version, login };
  };
  return decideReadiness({
    found: { engineId: 'claude', label: 'Claude Code', executable, approvals: APPROVALS },
    program: 'claude',
    oldest: MIN_VERSION,
    update: 'claude update',
    asked: executable ? await ask(executable) : null,
    settings: lookAtSettings(configDirectory(env), inEnvironment?.credential ?? null),
  });
};

const found = (credential: Credential): LoginAnswer => ({ kind: 'found', ...credential });

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

async function askLogin(
  executable: string,
  own: Readonly<Record<string, string>>,
): Promise<LoginAnswer> {
  const args = ['auth', 'status', '--json'];
  const answer = await askExecutable(executable, args, own);
  if (answer?.late) return { kind: 'late', asked: [executable, ...args].join(' ') };
  const credential = parseAuthStatus(answer?.output ?? '');
  if (credential) return found(credential);
  return { kind: 'missing', problem: 'claude is not logged in.', remedy: LOGIN };
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
