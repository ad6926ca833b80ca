import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import type { Readable } from 'node:stream';
import { Descendants } from './descendants.ts';
import { canMarkProcesses, markedArgv, SESSION_MARKER } from './mark.ts';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-table.ts';
import { stripVariables } from './spawn.ts';
import { terminateTree } from './terminate.ts';

/** What a program said on both of its outputs, as far as it came. */
export type Answer = {
  output: string;
  errors: string;
  /** It was not done in time, and was ended with everything that it had started. */
  late: boolean;
};

/** More than any answer to a look; what a program says beyond it is thrown away. */
const MAX_CHARS = 1024 * 1024;
/** From the end of a program to the end of its outputs. */
const DRAIN_MS = 200;
/** Ended at once: what is left has nothing to write down. */
const AT_ONCE = { inputMs: 0, termMs: 0 };

/**
 * Asks a program, without any input, and waits until it ends or `withinMs` are over. Nothing that it
 * started is left afterwards, in either case. Null where it cannot be started at all.
 */
export async function askProgram(
  executable: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  withinMs: number,
): Promise<Answer | null> {
  // What puts the mark on a program is there even if the program is not.
  if (!isThere(executable)) return null;
  const marker = `look_${randomUUID()}`;
  const [file, ...rest] = markedArgv([executable, ...args], marker);
  const child = spawn(file, rest, {
    env: { ...stripVariables(env, []), [SESSION_MARKER]: marker },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!started || child.pid === undefined) return null;
  const family = new Descendants(identifyProcess(child.pid), marker);
  const said = [collect(child.stdout), collect(child.stderr)] as const;
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  const late = await isLate(ended, withinMs);
  const left = late || canMarkProcesses() ? family.hunt() : children(family);
  if (left.length > 0) await terminateTree(family, AT_ONCE);
  const whole = Promise.all([said[0].whole, said[1].whole]);
  // Somebody who cannot be ended may hold the outputs open.
  if (await isLate(whole, DRAIN_MS))
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const [output, errors] = await whole;
  return { output, errors, late };
}

/** Who is left of a program that ended, as far as a cheap look shows it. */
function children(family: Descendants): ProcessIdentity[] {
  family.sample();
  return family.list().filter(isRunning);
}

function isThere(executable: string): boolean {
  try {
    accessSync(executable, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether something takes longer than it may. */
async function isLate(ended: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), withinMs);
  });
  try {
    return await Promise.race([ended.then(() => false), over]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(stream: Readable): { whole: Promise<string> } {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < MAX_CHARS) text += chunk;
  });
  return { whole: new Promise((resolve) => stream.once('close', () => resolve(text))) };
}
