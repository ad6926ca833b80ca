import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EngineProbe } from '../engine.ts';
import { askOnBoth, askVersion, findExecutable, isOlder } from '../executable.ts';
import { notInstalled, withoutVersion } from '../install.ts';
import { decideCredential, parseEnvKey } from './credential.ts';
import { codexEnvironment, readConfig } from './preset.ts';

/** The oldest version whose `exec --json` the parser was proven on. */
const MIN_VERSION = [0, 171, 0] as const;

const LOGIN =
  'Run `codex login` on this machine, or set CODEX_API_KEY in the environment of the runner.';

type Finding = Awaited<ReturnType<EngineProbe>>;

/** What its one-shot form does, and, where a person is asked, its app-server. */
const APPROVALS: Finding['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];
const ASKS: Finding['approvals'] = ['ask', 'accept_edits'];

/** Looks for codex, its version and its login. Reads names of credentials, never values. */
export const probeCodex: EngineProbe = async (env) => {
  const onPath = findExecutable('codex', env, 'PILOTHOUSE_CODEX', []);
  const executable = onPath && nativeOf(onPath);
  const offered = { approvals: APPROVALS, asks: ASKS };
  const found = { engineId: 'codex', label: 'Codex', executable, ...offered };
  const nothing = { version: null, payer: 'unknown' as const, credential: null, ready: false };
  if (!executable) return { ...found, ...nothing, ...notInstalled('codex') };
  const own = codexEnvironment(env);
  const [asked, loginStatus] = await Promise.all([
    askVersion(executable, own),
    // It tells of its login on its error output (seen on 0.171.0).
    askOnBoth(executable, ['login', 'status'], own),
  ]);
  const { version } = asked;
  if (!version) return { ...found, ...nothing, ...withoutVersion(executable, asked) };
  if (isOlder(version, MIN_VERSION)) {
    const problem = `codex ${version} is too old; ${MIN_VERSION.join('.')} is the oldest that works.`;
    return {
      ...found,
      ...nothing,
      version,
      problem,
      remedy: 'Run `codex update`.',
      failure: 'engine_too_old',
    };
  }
  const credential = decideCredential(env, parseEnvKey(readConfig(env)), loginStatus);
  return credential
    ? { ...found, ...credential, version, ready: true, problem: null, remedy: null }
    : {
        ...found,
        ...nothing,
        version,
        problem: 'codex is not logged in.',
        remedy: LOGIN,
        failure: 'auth_missing',
      };
};

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
