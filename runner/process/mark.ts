import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hasVariable } from './process-table.ts';

/** The environment name that marks every descendant of a session's engine. */
export const SESSION_MARKER = 'PILOTHOUSE_SESSION';

type Argv = readonly [string, ...string[]];
/** Puts a program under a limit on file locks, then becomes it: the pid stays the same. */
type Launcher = (limit: number, argv: Argv) => [string, ...string[]];

/**
 * `prlimit` (util-linux) hands the environment on as it is. A shell drops variables whose names
 * are none of its own, and has the limit under one letter or the other: dash -w, bash -x.
 */
export const LAUNCHERS: readonly Launcher[] = [
  (limit, argv) => ['/usr/bin/prlimit', `--locks=${limit}:${limit}`, '--', ...argv],
  (limit, argv) => [
    '/bin/sh',
    '-c',
    'ulimit -w "$0" 2>/dev/null || ulimit -x "$0"; exec "$@"',
    String(limit),
    ...argv,
  ],
];

let found: Launcher | null | undefined;

/**
 * The number that stands for a session in its processes' limit on file locks. Every process hands
 * its limits on at fork and at exec, whatever it does to its environment, session, directory and
 * open files; Linux has counted no locks since 2.4.25 (getrlimit(2), RLIMIT_LOCKS), so that this
 * number means nothing to anybody else.
 */
export function markLimitOf(marker: string): number {
  return createHash('sha256').update(marker).digest().readUIntBE(0, 6) + 1;
}

/** The command line that runs `argv` under the session's mark; `argv` itself where there is none. */
export function markedArgv(argv: Argv, marker: string): Argv {
  const launcher = findLauncher();
  return launcher ? launcher(markLimitOf(marker), argv) : argv;
}

/** Whether processes can be marked so that no descendant can lose it by accident. */
export function canMarkProcesses(): boolean {
  return findLauncher() !== null;
}

/** Whether a process carries the session's mark, in its limits or in its environment. */
export function isMarked(pid: number, marker: string): boolean {
  return (
    (findLauncher() !== null && readLockLimit(pid) === String(markLimitOf(marker))) ||
    hasVariable(pid, SESSION_MARKER, marker)
  );
}

/** The first launcher that works here, asked once per process: by running it and reading back. */
function findLauncher(): Launcher | null {
  if (found !== undefined) return found;
  // Inside another session the limit is that session's mark, and must stay it.
  const free = process.platform === 'linux' && readLockLimit('self') === 'unlimited';
  found = free ? (LAUNCHERS.find(works) ?? null) : null;
  return found;
}

function works(launcher: Launcher): boolean {
  const [file, ...args] = launcher(1, ['cat', '/proc/self/limits']);
  try {
    const output = execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', timeout: 2_000 });
    return parseLockLimit(output) === '1';
  } catch {
    // Not there, or not allowed here: the next one is tried.
    return false;
  }
}

function readLockLimit(pid: number | 'self'): string | null {
  try {
    return parseLockLimit(readFileSync(`/proc/${pid}/limits`, 'latin1'));
  } catch {
    // A process that just ended, or a kernel without the file.
    return null;
  }
}

/** Parses the hard limit on file locks out of `/proc/<pid>/limits` (man 5 proc_pid_limits). */
export function parseLockLimit(limits: string): string | null {
  return /^Max file locks +\S+ +(\S+)/m.exec(limits)?.[1] ?? null;
}
