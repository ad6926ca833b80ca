import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SealSupport } from '../../protocol/grade.ts';
import { messageOf } from '../failure.ts';
import { NAMESPACES, NETWORK_NAMESPACE } from './argv.ts';
import { decideObstacle, SEAL_SETTINGS, type SealSetting } from './obstacle.ts';

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
  const bubblewrap = (env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'bwrap'))
    .find((path) => path.startsWith('/') && existsSync(path));
  if (platform !== 'linux' || !bubblewrap) return cannot(platform, null);
  const attempt = (...more: string[]): string | null => runOnce(bubblewrap, more, env);
  const closed = attempt(NETWORK_NAMESPACE);
  const said = closed === null ? null : attempt();
  if (said !== null) return cannot(platform, said);
  const networkProblem =
    closed === null ? null : `bubblewrap cannot make a network of its own here. (${closed})`;
  return { available: true, problem: null, remedy: null, networkProblem, bubblewrap };
}

/** What bubblewrap says when it does not run; null when it does. */
function runOnce(bubblewrap: string, more: readonly string[], env: NodeJS.ProcessEnv) {
  const args = [...NAMESPACES, ...more, '--uid', '1000', '--gid', '1000', '--ro-bind', '/', '/'];
  try {
    execFileSync(bubblewrap, [...args, '--proc', '/proc', '--dev', '/dev', '--', 'true'], {
      timeout: PROBE_WITHIN_MS,
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function cannot(platform: string, said: string | null): FoundSeal {
  const settings = Object.fromEntries(
    SEAL_SETTINGS.map((name) => [name, readText(`/proc/sys/${name.replace('.', '/')}`)]),
  ) as Record<SealSetting, string | null>;
  const obstacle = decideObstacle({
    platform,
    release: readText('/etc/os-release') ?? '',
    said,
    settings,
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  });
  return { available: false, ...obstacle, networkProblem: obstacle.problem, bubblewrap: null };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Not every kernel and system has each of them.
    return null;
  }
}

function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return stderr.split('\n')[0] || messageOf(error);
}
