import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ForgeLimits } from './address.ts';

const GH_TIMEOUT_MS = 10_000;

const run = promisify(execFile);

/**
 * What opens the API of a forge, from the person's own login on this machine. It is read for each
 * ask, and leaves the runner towards that API alone. Null when there is none.
 */
export async function readToken(
  { host, tokenVariable }: Pick<ForgeLimits, 'host' | 'tokenVariable'>,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (tokenVariable !== null) return env[tokenVariable]?.trim() || null;
  try {
    const args = ['auth', 'token', '--hostname', host];
    const { stdout } = await run('gh', args, { env, timeout: GH_TIMEOUT_MS });
    return stdout.trim() || null;
  } catch {
    // Not installed, or nobody has logged in: both are no login.
    return null;
  }
}

/** What a person can do where there is none. */
export const sayNoToken = ({ host, tokenVariable }: Pick<ForgeLimits, 'host' | 'tokenVariable'>) =>
  tokenVariable === null
    ? `this machine has no login for ${host}; a person logs in with gh auth login, or names a variable with a token in limits.toml ([[forges]])`
    : `the runner has no variable ${tokenVariable}, which limits.toml names for ${host}; a person sets it and starts the runner again`;
