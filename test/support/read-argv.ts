import { readFileSync } from 'node:fs';

/** The command line of a process; empty for one that is gone. */
export function readArgv(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
