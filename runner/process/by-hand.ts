import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parseProcessFiles } from './lsof.ts';

/** A program that a person runs: its words, and where it works. */
export type HandProcess = { pid: number; argv: readonly string[]; directory: string };

/**
 * The processes of this user that run `program`: as itself, or as a script that something else
 * interprets. Says nothing of processes that cannot be looked at.
 */
export function listRunning(program: string): HandProcess[] {
  const all = process.platform === 'linux' ? listLinux() : listByLsof(program);
  return all.filter(({ argv }) => argv.slice(0, 2).some((word) => isProgram(word, program)));
}

/** Whether a word of a command line names the program, whatever its directory and extension. */
export function isProgram(word: string, program: string): boolean {
  return basename(word).replace(/\.(?:exe|c?js|mjs)$/, '') === program;
}

function listLinux(): HandProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
        return [{ pid: Number(pid), argv, directory: readlinkSync(`/proc/${pid}/cwd`) }];
      } catch {
        // Another user's process, or one that just ended.
        return [];
      }
    });
}

function listByLsof(program: string): HandProcess[] {
  try {
    const files = execFileSync('lsof', ['-a', '-d', 'cwd', '-c', program, '-c', 'node', '-Fpn'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parseProcessFiles(files).map(({ pid, path }) => ({
      pid,
      directory: path,
      argv: readWords(pid),
    }));
  } catch {
    // `lsof` fails where it finds nothing.
    return [];
  }
}

/** `ps` joins the words of a command line with blanks: good enough to name a program and find an id. */
function readWords(pid: number): string[] {
  try {
    return execFileSync('ps', ['-p', String(pid), '-ww', '-o', 'command='], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}
