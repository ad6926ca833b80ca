import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineProbe, Readiness } from '../engine.ts';
import {
  type AskedVersion,
  askVersion,
  findExecutable,
  readInstalledVersion,
} from '../executable.ts';
import { decideReadiness } from '../preflight.ts';
import { readSettings } from '../settings.ts';
import {
  decideLogin,
  decideMethod,
  namesOf,
  parseSelectedType,
  type LoginFacts,
} from './credential.ts';
import { geminiEnvironment, geminiHome } from './preset.ts';
import { decideSettings } from './settings.ts';

/** The oldest version whose stream-json the parser was proven on. */
const MIN_VERSION = [0, 61, 0] as const;

/** Its one-shot form cannot ask; the one that can, by its protocol, tells no cost. */
const APPROVALS: Readiness['approvals'] = ['ask', 'accept_edits', 'plan', 'bypass'];
const ASKS: Readiness['approvals'] = ['ask'];
const PACKAGES = ['@google/gemini-cli', 'gemini-cli'];

/** Looks for gemini, its version, its login and its settings. Reads names of credentials, never values. */
export const probeGemini: EngineProbe = async (env) => {
  const executable = findExecutable('gemini', env, 'PILOTHOUSE_GEMINI', []);
  const facts = readLogin(env);
  const path = join(geminiHome(env), '.gemini', 'settings.json');
  return decideReadiness({
    found: {
      engineId: 'gemini',
      label: 'Gemini CLI',
      executable,
      approvals: APPROVALS,
      asks: ASKS,
    },
    program: 'gemini',
    oldest: MIN_VERSION,
    update: 'npm install --global @google/gemini-cli@latest',
    asked:
      executable === null
        ? null
        : {
            version: await readVersion(executable, env),
            login: decideLogin(facts),
          },
    settings: decideSettings(path, readSettings(path) ?? '', decideMethod(facts)),
  });
};

/** Its package says its version: starting it would take seconds. */
async function readVersion(executable: string, env: NodeJS.ProcessEnv): Promise<AskedVersion> {
  const version = readInstalledVersion(executable, PACKAGES);
  return version === null
    ? askVersion(executable, geminiEnvironment(env))
    : { version, late: false };
}

function readLogin(env: NodeJS.ProcessEnv): LoginFacts {
  const home = geminiHome(env);
  const own = join(home, '.gemini');
  const inFile = namesOf(readSettings(join(own, '.env')) ?? readSettings(join(home, '.env')) ?? '');
  const keychain = process.platform !== 'linux' || Boolean(env['DBUS_SESSION_BUS_ADDRESS']);
  return {
    selectedType: parseSelectedType(readSettings(join(own, 'settings.json')) ?? ''),
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
