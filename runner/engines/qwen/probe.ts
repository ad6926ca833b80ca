import { parseEnv } from 'node:util';
import type { EngineProbe } from '../engine.ts';
import {
  type AskedVersion,
  askVersion,
  findExecutable,
  readInstalledVersion,
} from '../executable.ts';
import { decideReadiness } from '../preflight.ts';
import { readSettings } from '../settings.ts';
import { decideLogin } from './credential.ts';
import { ownSettings, settingsPath, systemSettingsOf, variableFiles } from './home.ts';
import { qwen, qwenEnvironment } from './preset.ts';
import { decideSettings, decideSystemSettings } from './settings.ts';

/** The oldest version that the parser was proven on. */
const MIN_VERSION = [0, 24, 4] as const;
const PACKAGE = '@qwen-code/qwen-code';

/** Looks for qwen, its version, its login and its settings. Reads names of credentials, never values. */
export const probeQwen: EngineProbe = async (env) => {
  const executable = findExecutable('qwen', env, 'PILOTHOUSE_QWEN', []);
  const { id: engineId, label, modes } = qwen;
  const path = settingsPath(env);
  const system = systemSettingsOf(env);
  return decideReadiness({
    found: {
      engineId,
      label,
      executable,
      approvals: [...modes],
      asks: modes.filter((mode) => mode !== 'bypass'),
    },
    program: 'qwen',
    oldest: MIN_VERSION,
    update: `npm install --global ${PACKAGE}@latest`,
    asked:
      executable === null
        ? null
        : {
            version: await readVersion(executable, env),
            login: decideLogin({ own: ownSettings(env), isSet: isSetIn(env) }),
          },
    settings: [
      ...decideSettings(path, readSettings(path) ?? ''),
      ...(system === null ? [] : decideSystemSettings(system, readSettings(system) ?? '')),
    ],
  });
};

/** Its package says its version: starting it would take a second. */
async function readVersion(executable: string, env: NodeJS.ProcessEnv): Promise<AskedVersion> {
  const version = readInstalledVersion(executable, [PACKAGE]);
  return version === null ? askVersion(executable, qwenEnvironment(env)) : { version, late: false };
}

/** Of the files of variables it reads the first that is there. */
function isSetIn(env: NodeJS.ProcessEnv): (name: string) => boolean {
  const [first] = variableFiles(env).flatMap((path) => readSettings(path) ?? []);
  const inFile = parseEnv(first ?? '');
  return (name) => Boolean(env[name] ?? inFile[name]);
}
