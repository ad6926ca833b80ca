import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

type Relative = { pid: number; parent: number; marked: boolean };

const MAX_PS_BYTES = 64 * 1024 * 1024;

/** Every process that can be seen, with whether the mark stands in its environment. */
function listProcesses(mark: string): Relative[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = readOr(`/proc/${name}/stat`);
        // The name of a program can hold anything, so the fields count from the last parenthesis.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (stat === '' || fields[0] === 'Z') return [];
        const marked = readOr(`/proc/${name}/environ`).includes(mark);
        return [{ pid: Number(name), parent: Number(fields[1]), marked }];
      });
  }
  const args = ['-A', '-E', '-ww', '-o', 'pid=,ppid=,command='];
  const { stdout } = spawnSync('ps', args, { encoding: 'utf8', maxBuffer: MAX_PS_BYTES });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, rest = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), marked: rest.includes(mark) }] : [];
  });
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended meanwhile, or is another user's.
    return '';
  }
}

/**
 * The process and all that came of it: its descendants, and what has left them (`setsid`, a daemon)
 * and still carries the mark in its environment, with the descendants of that.
 */
export function listFamily(pid: number, mark: string): number[] {
  const all = listProcesses(mark);
  const family = new Set(all.filter((one) => one.marked || one.pid === pid).map((one) => one.pid));
  family.delete(process.pid);
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return [...family];
}

/** Sends a signal to a family, and to the group that its first process leads. */
export function signalFamily(pid: number, mark: string, signal: NodeJS.Signals): void {
  for (const target of [-pid, ...listFamily(pid, mark)]) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended between the look and the signal.
    }
  }
}
