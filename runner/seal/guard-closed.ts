import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { put } from './put-program.ts';

/** How long a process may outlive its session and still be refused, in ms. */
export const KEPT_CLOSED_MS = 30 * 24 * 3_600_000;

const OVER = 'over';
const SAYS =
  'this session is over, and nothing is pushed, merged or released from it any more. Push from a shell of your own, or start another session.';

/** What is asked in the place of the runner. In plain sh: nothing of what it stands for is left. */
const REFUSES = `#!/bin/sh\necho 'pilothouse: ${SAYS}' >&2\nexit 1\n`;

/**
 * Leaves of a guard what refuses: a process that outlives its session still has the guard's places in
 * its environment, and git runs no hook where there is none. Removes it where it was left long ago.
 */
export function closeGuard(guard: string, nowMs: number): void {
  const over = join(guard, OVER);
  const isOpen = existsSync(join(guard, 'hooks')) && !existsSync(over);
  if (isOpen) {
    put(join(guard, 'ask'), REFUSES, 0o700);
    put(over, String(nowMs));
  }
  if (existsSync(over) && nowMs - Number(readFileSync(over, 'utf8')) < KEPT_CLOSED_MS) {
    const kept = new Set([OVER, 'ask', 'hooks', 'programs']);
    removeAllBut(guard, (name) => kept.has(name));
    removeAllBut(join(guard, 'hooks'), (name) => name === 'pre-push');
    return;
  }
  rmSync(guard, { recursive: true, force: true });
  try {
    rmdirSync(dirname(guard));
  } catch {
    // Something else of the session is left there, or nothing is.
  }
}

/** What puts a guard where one was closed. */
export const reopenGuard = (guard: string): void => rmSync(join(guard, OVER), { force: true });

/** Removes what a directory holds, but for some of it. */
export function removeAllBut(directory: string, isKept: (name: string) => boolean): void {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  for (const name of names)
    if (!isKept(name)) rmSync(join(directory, name), { recursive: true, force: true });
}
