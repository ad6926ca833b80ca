import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';

/** `read(2)` by number, where the architecture is one that is known. */
const READ: Partial<Record<NodeJS.Architecture, string>> = { x64: '0', arm64: '63' };

/**
 * Whether one of these processes waits for a line on the named pipe that is its standard input, as
 * the system tells it. Null where the system does not tell.
 */
export function waitsForInput(pids: readonly number[], pipe: string): boolean | null {
  if (process.platform !== 'linux') return null;
  const input = statOf(pipe);
  if (!input) return false;
  const readers = pids.filter((pid) => isSame(statOf(`/proc/${pid}/fd/0`), input));
  return readers.some((pid) => isReading(pid) || listens(pid));
}

/** It is inside a read of its standard input. */
function isReading(pid: number): boolean {
  const call = readOf(`/proc/${pid}/syscall`);
  // Another program may be kept from this file, and is told less by the other one.
  if (call === null || call === '')
    return /pipe_(read|wait)/.test(readOf(`/proc/${pid}/wchan`) ?? '');
  const [number, descriptor] = call.split(' ');
  return number === READ[process.arch] && descriptor === '0x0';
}

/** It sleeps until something happens on its standard input, among other things, as Node does. */
function listens(pid: number): boolean {
  return listOf(`/proc/${pid}/fdinfo`).some((descriptor) =>
    /^tfd:\s+0\s/m.test(readOf(`/proc/${pid}/fdinfo/${descriptor}`) ?? ''),
  );
}

const isSame = (one: Stats | null, other: Stats): boolean =>
  one !== null && one.ino === other.ino && one.dev === other.dev;

/** A process may end, or belong to another user, between any two looks. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
const statOf = (path: string) => orNull(() => statSync(path));
const readOf = (path: string) => orNull(() => readFileSync(path, 'latin1').trim());
const listOf = (path: string) => orNull(() => readdirSync(path)) ?? [];
