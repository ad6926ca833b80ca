import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EngineProbe, Readiness } from '../engine.ts';
import { askExecutable, askVersion, findExecutable } from '../executable.ts';
import { decideReadiness, type LoginAnswer } from '../preflight.ts';
import { decideCredential, parseEnvKey } from './credential.ts';
import { codexHome } from './home.ts';
import { codexEnvironment, readConfig } from './preset.ts';
import { decideForced, decideSettings } from './settings.ts';

/** The oldest version whose `exec --json` the parser was proven on. */
const MIN_VERSION = [0, 171, 0] as const;

const LOGIN =
  'Run `codex login` on this machine, or set CODEX_API_KEY in the environment of the runner.';

/** What its one-shot form does, and, where a person is asked, its app-server. */
const APPROVALS: Readiness['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];
const ASKS: Readiness['approvals'] = ['ask', 'accept_edits'];

/** Looks for codex, its version, its login and its settings. Reads names of credentials, never values. */
export const probeCodex: EngineProbe = async (env) => {
  const onPath = findExecutable('codex', env, 'PILOTHOUSE_CODEX', []);
  const executable = onPath && nativeOf(onPath);
  const path = join(codexHome(env), 'config.toml');
  const config = readConfig(env);
  const ask = async (program: string) => {
    const own = codexEnvironment(env);
    const [version, login] = await Promise.all([
      askVersion(program, own, { packages: ['@openai/codex', 'codex'] }),
      askLogin(program, own, env, parseEnvKey(config)),
    ]);
    return { version, login: decideForced(path, config, login) };
  };
  return decideReadiness({
    found: { engineId: 'codex', label: 'Codex', executable, approvals: APPROVALS, asks: ASKS },
    program: 'codex',
    oldest: MIN_VERSION,
    update: 'codex update',
    asked: executable ? await ask(executable) : null,
    settings: decideSettings(path, config),
  });
};

async function askLogin(
  executable: string,
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  envKey: string | null,
): Promise<LoginAnswer> {
  const known = decideCredential(env, envKey, null);
  if (known) return { kind: 'found', ...known };
  const args = ['login', 'status'];
  // A provider of the configuration is asked for its own key, and for no other login.
  const answer = envKey === null ? await askExecutable(executable, args, own) : null;
  if (answer?.late) return { kind: 'late', asked: [executable, ...args].join(' ') };
  // It tells of its login on its error output (seen on 0.171.0).
  const said = answer && `${answer.errors}${answer.output}`;
  const credential = decideCredential(env, envKey, said);
  return credential
    ? { kind: 'found', ...credential }
    : { kind: 'missing', problem: 'codex is not logged in.', remedy: LOGIN };
}

/**
 * The native executable behind npm's launcher, which would stand between us and codex as a
 * process of its own: signals would reach the launcher. Another kind of file is itself.
 */
export function nativeOf(executable: string): string {
  const real = realpathSync(executable);
  if (!real.endsWith('.js')) return executable;
  const top = dirname(dirname(real));
  const platform = `codex-${process.platform}-${process.arch}`;
  const places = [
    join(top, 'node_modules', '@openai', platform, 'vendor'),
    join(dirname(top), platform, 'vendor'),
    join(top, 'vendor'),
  ];
  const found = places
    .filter(existsSync)
    .flatMap((vendor) => readdirSync(vendor).map((triple) => join(vendor, triple, 'bin', 'codex')))
    .find(existsSync);
  return found ?? executable;
}
