import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Payer } from '../../../protocol/usage.ts';
import { parseJson } from '../../json.ts';
import type { EngineProbe } from '../engine.ts';
import { askVersion, findExecutable } from '../executable.ts';
import { decideReadiness } from '../preflight.ts';
import { authFileOf, configFiles, opencode, opencodeEnvironment } from './preset.ts';
import { lookAtSettings } from './settings.ts';
import { homeOf } from '../../home.ts';

/** The oldest version whose form of the protocol the parser was proven on. */
const MIN_VERSION = [1, 18, 0] as const;

/** Looks for opencode, its version, its logins and its settings. Reads names of credentials, never values. */
export const probeOpencode: EngineProbe = async (env) => {
  const places = [join(homeOf(env), '.opencode', 'bin')];
  const executable = findExecutable('opencode', env, 'PILOTHOUSE_OPENCODE', places);
  const { id: engineId, label, modes } = opencode;
  const asks = modes.filter((mode) => mode !== 'bypass');
  return decideReadiness({
    found: { engineId, label, executable, approvals: [...modes], asks },
    program: 'opencode',
    oldest: MIN_VERSION,
    update: 'opencode upgrade',
    asked:
      executable === null
        ? null
        : {
            version: await askVersion(executable, opencodeEnvironment(env), {
              packages: ['opencode-ai', 'opencode'],
            }),
            login: { kind: 'found', ...decideLogin(env, readLogins(env)) },
          },
    settings: lookAtSettings(configFiles(env)),
  });
};

const logins = z.record(z.string(), z.object({ type: z.string().catch('') }));
type Logins = z.infer<typeof logins>;

/**
 * Decides who pays, where that is plain. Which provider works depends on the model, and some
 * models want no login: not knowing one is no reason not to start.
 */
export function decideLogin(
  env: NodeJS.ProcessEnv,
  known: Logins,
): { payer: Payer; credential: string | null } {
  const keys = opencode.secretVariables.filter((name) => name.endsWith('_API_KEY') && env[name]);
  const kinds = [...keys.map(() => 'api'), ...Object.values(known).map(({ type }) => type)];
  const names = [...keys, ...Object.keys(known).map((name) => `opencode auth (${name})`)];
  const payer = kinds.every((kind) => kind === 'api')
    ? 'api-key'
    : kinds.every((kind) => kind === 'oauth')
      ? 'subscription'
      : 'unknown';
  return names.length === 0
    ? { payer: 'unknown', credential: null }
    : { payer, credential: names.length === 1 ? (names[0] ?? null) : names.join(', ') };
}

function readLogins(env: NodeJS.ProcessEnv): Logins {
  try {
    const parsed = logins.safeParse(parseJson(readFileSync(authFileOf(env), 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    // Nobody has logged in.
    return {};
  }
}
