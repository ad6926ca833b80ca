import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Ticks of CPU that a process used, and those that its ended children did (man 5 proc_pid_stat). */
export function parseTicks(stat: string): { own: number; children: number } {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { own: user + system, children: childUser + childSystem };
}

const ticksOf = (pid: number | 'self') => parseTicks(readFileSync(`/proc/${pid}/stat`, 'latin1'));

/** Seconds of CPU of this process, of what it started and ended, and of the processes named. */
export function cpuSeconds(pids: readonly number[]): number {
  const mine = ticksOf('self');
  const others = pids.reduce((sum, pid) => sum + ticksOf(pid).own, 0);
  return (mine.own + mine.children + others) / TICKS_PER_SECOND;
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The share of one core that is used while `work` goes on, in percent. */
export async function cpuShare(
  pids: () => readonly number[],
  ms: number,
  work: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const before = cpuSeconds(pids());
  const from = performance.now();
  const until = new Promise((resolve) => setTimeout(resolve, ms));
  await Promise.all([work(), until]);
  return ((cpuSeconds(pids()) - before) / ((performance.now() - from) / 1000)) * 100;
}
