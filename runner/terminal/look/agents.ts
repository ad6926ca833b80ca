import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import type { PaneAgent } from '../../../protocol/terminal.ts';
import { decideFamily } from '../../process/descendants.ts';
import type { ProcessRow } from '../../process/process-table.ts';

/** What a process runs: the real file of its program, and its arguments. */
export type Running = { executable: string; argv: readonly string[] };

type Kind = { engine: string; program: string; packages: readonly string[] };

/** Coding agents by their program, and by the package whose file an interpreter runs. */
const KINDS: readonly Kind[] = [
  ...BUILT_IN_PRESETS.flatMap(({ preset: { id: engine, command }, verified, source }): Kind[] =>
    verified && 'npm' in source ? [{ engine, program: command[0], packages: [source.npm] }] : [],
  ),
  { engine: 'aider', program: 'aider', packages: ['aider', 'aider_chat'] },
];
const INTERPRETERS = /^(node|bun|deno|python[\d.]*)$/;

/**
 * Names the coding agent that a process is, by the file that runs. A title that a program gave
 * itself, or a file of that name that something else reads, is no evidence. Pure.
 */
export function agentOf(running: Running): Omit<PaneAgent, 'pid'> | null {
  const program = basename(running.executable);
  const script = INTERPRETERS.test(program) ? scriptOf(running.argv) : null;
  for (const { engine, packages, program: own } of KINDS) {
    const within = (path: string) => packages.some((name) => path.includes(`/${name}/`));
    if (within(running.executable) || (script !== null && within(script)))
      return { engine, evidence: 'package' };
    // Claude's own installer keeps each version as a file that is named by it.
    const versioned = running.executable.includes(`/${own}/versions/`);
    if (program === own || versioned) return { engine, evidence: 'executable' };
  }
  return null;
}

/** The file that an interpreter runs: its first argument that is no option. */
const scriptOf = (argv: readonly string[]): string | null =>
  argv.slice(1).find((word) => !word.startsWith('-')) ?? null;

/** The coding agent among the processes of a pane; the nearest to its first one, if there are more. */
export function findAgent(
  pid: number,
  table: readonly ProcessRow[],
  read: (pid: number) => Running | null = readRunning,
): PaneAgent | null {
  const root = table.find((row) => row.pid === pid);
  if (!root) return null;
  for (const row of decideFamily(table, [root])) {
    const running = row.zombie ? null : read(row.pid);
    const agent = running && agentOf(running);
    if (agent) return { ...agent, pid: row.pid };
  }
  return null;
}

function readRunning(pid: number): Running | null {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const executable = readlinkSync(`/proc/${pid}/exe`);
    return { executable, argv: argv.map((word) => (word.startsWith('/') ? real(word) : word)) };
  } catch {
    // It has ended, belongs to somebody else, or the system has no such files.
    return null;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
