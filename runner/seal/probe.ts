import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { SealSupport } from '../../protocol/grade.ts';
import { messageOf } from '../failure.ts';
import { existsSync } from 'node:fs';
import { NAMESPACES } from './argv.ts';

const PROBE_WITHIN_MS = 5_000;

/** What the machine can do, and where bubblewrap is when it can. */
export type FoundSeal = SealSupport & { bubblewrap: string | null };

let found: FoundSeal | undefined;

/**
 * Whether this machine can seal a session, found out by running bubblewrap as a session would:
 * containers and AppArmor forbid what the installed program promises. Asked once per process
 * unless `again`.
 */
export function probeSeal(env: NodeJS.ProcessEnv, again = false): FoundSeal {
  if (again || !found) found = tryBubblewrap(env, process.platform);
  return found;
}

function tryBubblewrap(env: NodeJS.ProcessEnv, platform: string): FoundSeal {
  if (platform !== 'linux') return cannot('Only Linux can seal a session.', null);
  const bubblewrap = (env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'bwrap'))
    .find((path) => path.startsWith('/') && existsSync(path));
  if (!bubblewrap) return cannot('bubblewrap is not installed.', INSTALL);
  const args = [...NAMESPACES, '--uid', '1000', '--gid', '1000', '--ro-bind', '/', '/'];
  try {
    execFileSync(bubblewrap, [...args, '--proc', '/proc', '--dev', '/dev', '--', 'true'], {
      timeout: PROBE_WITHIN_MS,
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    return { available: true, problem: null, remedy: null, bubblewrap };
  } catch (error) {
    return cannot(`bubblewrap may not work here: ${reasonOf(error)}`, ALLOW);
  }
}

const INSTALL = 'apt-get install bubblewrap';
const ALLOW =
  'Allow unprivileged user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap; in a container, start it with them allowed.';

const cannot = (problem: string, remedy: string | null): FoundSeal => ({
  available: false,
  problem,
  remedy,
  bubblewrap: null,
});

function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return stderr.split('\n')[0] || messageOf(error);
}
