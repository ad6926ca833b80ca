import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { EngineProbe } from '../engine.ts';
import { parseJson } from '../../json.ts';
import { askVersion, findExecutable, isOlder } from '../executable.ts';
import { notInstalled, withoutVersion } from '../install.ts';
import { decideLogin, namesOf, parseSelectedType, type LoginFacts } from './credential.ts';
import { geminiEnvironment, geminiHome } from './preset.ts';

/** The oldest version whose stream-json the parser was proven on. */
const MIN_VERSION = [0, 61, 0] as const;

type Finding = Awaited<ReturnType<EngineProbe>>;

/** Its one-shot form cannot ask; the one that can, by its protocol, tells no cost. */
const APPROVALS: Finding['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];
const ASKS: Finding['approvals'] = ['ask'];

/** Looks for gemini, its version and its login. Reads names of credentials, never values. */
export const probeGemini: EngineProbe = async (env) => {
  const executable = findExecutable('gemini', env, 'PILOTHOUSE_GEMINI', []);
  const offered = { approvals: APPROVALS, asks: ASKS };
  const found = { engineId: 'gemini', label: 'Gemini CLI', executable, ...offered };
  const nothing = { version: null, payer: 'unknown' as const, credential: null, ready: false };
  if (!executable) return { ...found, ...nothing, ...notInstalled('gemini') };
  const packaged = packageVersion(executable);
  const asked = packaged
    ? { version: packaged, output: null, late: false }
    : await askVersion(executable, geminiEnvironment(env));
  const { version } = asked;
  if (!version) return { ...found, ...nothing, ...withoutVersion(executable, asked) };
  if (isOlder(version, MIN_VERSION)) {
    const problem = `gemini ${version} is too old; ${MIN_VERSION.join('.')} is the oldest that works.`;
    const remedy = 'Run `npm install --global @google/gemini-cli@latest`.';
    return { ...found, ...nothing, version, problem, remedy, failure: 'engine_too_old' };
  }
  const login = decideLogin(readLogin(env));
  return login.ready
    ? { ...found, ...login, version, problem: null, remedy: null }
    : { ...found, ...nothing, ...login, version, failure: 'auth_missing' };
};

const manifest = z.object({ name: z.literal('@google/gemini-cli'), version: z.string() });

/** The version in the package that an executable belongs to: starting it would take seconds. */
function packageVersion(executable: string): string | null {
  const bundle = dirname(realpathSync(executable));
  for (const directory of [bundle, dirname(bundle)]) {
    const text = readText(join(directory, 'package.json'));
    const parsed = text === null ? null : manifest.safeParse(parseJson(text));
    if (parsed?.success) return parsed.data.version;
  }
  return null;
}

function readLogin(env: NodeJS.ProcessEnv): LoginFacts {
  const home = geminiHome(env);
  const own = join(home, '.gemini');
  const inFile = namesOf(readText(join(own, '.env')) ?? readText(join(home, '.env')) ?? '');
  const keychain = process.platform !== 'linux' || Boolean(env['DBUS_SESSION_BUS_ADDRESS']);
  return {
    selectedType: parseSelectedType(readText(join(own, 'settings.json')) ?? ''),
    isSet: (name) => {
      const value = env[name];
      return value === undefined ? inFile.has(name) : value !== '' && value !== 'false';
    },
    googleLogin:
      existsSync(join(own, 'oauth_creds.json')) ||
      env['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true',
    mayHoldKey: keychain || existsSync(join(own, 'gemini-credentials.json')),
  };
}

/** A file's text; null when there is none, or none that may be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
