import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process, told apart from a later one of the same pid by when it started. `startedAt` is
 * opaque: ticks since boot with the boot's id on Linux, a date elsewhere; empty when the process
 * had ended before it could be looked at.
 */
export type ProcessIdentity = { pid: number; startedAt: string };

export type ProcessRow = ProcessIdentity & {
  parent: number;
  /** POSIX session: `setsid` makes a new one, which its children share. */
  session: number;
  zombie: boolean;
};

const LINUX = process.platform === 'linux';
const BOOT_ID = LINUX
  ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8)
  : '';

/** Every process that this user can see. */
export function listProcesses(): ProcessRow[] {
  if (!LINUX) return parsePs(runPs(['-axo', 'pid=,ppid=,sess=,stat=,lstart=']));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readLinuxProcess(Number(name)))
    .filter((row) => row !== null);
}

/** One process, or null when it is gone. */
export function readProcess(pid: number): ProcessRow | null {
  if (LINUX) return readLinuxProcess(pid);
  return parsePs(runPs(['-p', String(pid), '-o', 'pid=,ppid=,sess=,stat=,lstart=']))[0] ?? null;
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startedAt: readProcess(pid)?.startedAt ?? '' };
}

/** Whether this very process still runs: not a zombie, and no later one that got its pid. */
export function isRunning(identity: ProcessIdentity): boolean {
  const row = readProcess(identity.pid);
  return row !== null && !row.zombie && row.startedAt === identity.startedAt;
}

/** Whether a process was started with `name=value` in its environment; false when unreadable. */
export function hasVariable(pid: number, name: string, value: string): boolean {
  if (!LINUX)
    return runPs(['-Eww', '-p', String(pid), '-o', 'command=']).includes(` ${name}=${value}`);
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${name}=${value}`);
  } catch {
    // Another user's process, or one that just ended: in neither case one of ours to end.
    return false;
  }
}

/** Whether a process was started before the machine was: nothing of it can run. False where no boot is known. */
export function isOfEarlierBoot({ startedAt }: ProcessIdentity): boolean {
  const boot = /^([0-9a-f]{8}):/.exec(startedAt)?.[1];
  return LINUX && boot !== undefined && boot !== BOOT_ID;
}

function readLinuxProcess(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

/**
 * Parses `/proc/<pid>/stat` (man 5 proc_pid_stat). The name in parentheses may hold spaces and
 * parentheses itself, so fields are counted from the last one.
 */
export function parseStat(stat: string, bootId = BOOT_ID): ProcessRow | null {
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  const pid = Number.parseInt(stat, 10);
  const [state, parent, , session] = fields;
  const ticks = fields[19];
  if (close < 0 || !Number.isInteger(pid) || !state || !parent || !session || !ticks) return null;
  return {
    pid,
    startedAt: `${bootId}:${ticks}`,
    parent: Number(parent),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
  };
}

/** Parses `ps -o pid=,ppid=,sess=,stat=,lstart=`, as BSD and macOS print it. */
export function parsePs(output: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (!match) return [];
    const [, pid, parent, session, stat, startedAt] = match;
    return [
      {
        pid: Number(pid),
        startedAt: startedAt ?? '',
        parent: Number(parent),
        // macOS prints a kernel address where it has no session number; it is never equal to a pid.
        session: /^\d+$/.test(session ?? '') ? Number(session) : 0,
        zombie: (stat ?? '').startsWith('Z'),
      },
    ];
  });
}

function runPs(args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  } catch {
    // `ps -p` fails for a process that is gone.
    return '';
  }
}
