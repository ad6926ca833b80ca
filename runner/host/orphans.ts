import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from '../failure.ts';

/**
 * Ends a process that an earlier, killed host left behind. Its id alone proves nothing, because
 * ids are used again: the process must carry `evidence` (a variable of its environment that
 * names this data directory). Asks with SIGTERM, then after `graceMs` ends it.
 */
export async function reapOrphan(
  pidFile: string,
  evidence: string,
  graceMs: number,
): Promise<boolean> {
  const pid = readPid(pidFile);
  if (pid === null) return false;
  const ours = isAlive(pid) && environmentOf(pid).includes(evidence);
  if (ours) await endProcess(pid, graceMs);
  rmSync(pidFile, { force: true });
  return ours;
}

/** Ends one process: SIGTERM, a grace, SIGKILL. Returns once it is gone. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  signal(pid, 'SIGTERM');
  const until = Date.now() + graceMs;
  while (isAlive(pid) && Date.now() < until) await sleep(20);
  signal(pid, 'SIGKILL');
  while (isAlive(pid)) await sleep(20);
}

/** Whether a process of this id exists and still runs; a zombie is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return false;
  try {
    const text = readFileSync(stat, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}

function readPid(path: string): number | null {
  if (!existsSync(path)) return null;
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

/** A process's environment as text. Empty when it may not be read: then it is not ours. */
function environmentOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/environ`, 'utf8');
    return execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemCodeOf(error) !== 'ESRCH') throw error;
  }
}
