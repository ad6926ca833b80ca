import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, openSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SpawnPlan } from '../engines/engine.ts';
import { systemCodeOf } from '../failure.ts';
import { makeInput, openEnginesEnd } from './engine-input.ts';
import { exitStatusOf, type ExitStatus } from './exit-status.ts';
import { markedArgv, SESSION_MARKER } from './mark.ts';
import { identifyProcess, type ProcessIdentity } from './process-table.ts';

/** What a process reads, one-shot a whole file, else a named pipe; and its exit status once it ended. */
export type InputPaths = { input: string; exit: string };
export type SpoolPaths = { out: string; err: string } & InputPaths;

export type EngineProcess = {
  identity: ProcessIdentity;
  exited: Promise<ExitStatus>;
};

/** The engine could not be started at all. `code` is the system's: `ENOENT`, `EACCES`. */
export class SpawnError extends Error {
  readonly code: string | null;

  constructor(executable: string, cause: unknown) {
    super(
      `${executable} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.name = 'SpawnError';
    this.code = systemCodeOf(cause);
  }
}

/**
 * Runs its arguments and leaves their exit status in the file `$0`, whole or not at all: it is
 * known even when nobody was there to see it end. Signals are for the command, which gets its
 * own default for them back; a trap that is not `''` is not inherited (POSIX, trap).
 */
const KEEP_STATUS =
  'trap : HUP INT QUIT TERM; "$@"; rc=$?; echo "$rc" >"$0.tmp" && mv -f "$0.tmp" "$0"; exit "$rc"';

/**
 * Starts an engine in a session and process group of its own, its output going to files and its
 * exit status kept in one, so that nothing of it ends with this process. A plan with an `input` is
 * a one-shot process: it reads that from a file, never from a pipe that somebody might leave open.
 * Any other reads a named pipe, to which whoever comes after this process can write. Throws
 * {@link SpawnError} when there is nothing to start.
 */
export async function spawnEngine(
  plan: SpawnPlan,
  spool: SpoolPaths,
  marker: string,
  nestedVariables: readonly (string | RegExp)[],
): Promise<EngineProcess> {
  const [executable] = plan.argv;
  const { input } = plan;
  // The system would blame the executable for a directory that is gone.
  if (!existsSync(plan.directory))
    throw new SpawnError(executable, new Error(`${plan.directory} does not exist`));
  requireExecutable(executable, plan.env['PATH']);
  const kept = ['/bin/sh', '-c', KEEP_STATUS, spool.exit, ...plan.argv] as const;
  const [file, ...args] = markedArgv(kept, marker);
  const out = openSync(spool.out, 'a', 0o600);
  const err = openSync(spool.err, 'a', 0o600);
  let stdin: number | null = null;
  try {
    stdin = await openInput(spool.input, input);
    const child = spawn(file, args, {
      cwd: plan.directory,
      env: { ...stripVariables(plan.env, nestedVariables), [SESSION_MARKER]: marker },
      stdio: [stdin, out, err],
      detached: true,
    });
    const { pid } = child;
    const exited = new Promise<ExitStatus>((resolve) => {
      child.once('exit', (exitCode, signal) => {
        // A seal ends as its engine did, with a shell's number for a signal.
        resolve(plan.sealed && exitCode !== null ? exitStatusOf(exitCode) : { exitCode, signal });
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return { identity: identifyProcess(pid ?? -1), exited };
  } catch (error) {
    throw new SpawnError(executable, error);
  } finally {
    closeSync(out);
    closeSync(err);
    if (stdin !== null) closeSync(stdin);
  }
}

/** The engine's end of its input, which is whole (`text`) or still to come. */
async function openInput(path: string, text: string | undefined): Promise<number> {
  if (text === undefined) {
    await makeInput(path);
    return openEnginesEnd(path);
  }
  writeFileSync(path, text, { mode: 0o600 });
  return openSync(path, 'r');
}

/** Throws what the system would: what puts the mark on an engine is there even if the engine is not. */
export function requireExecutable(executable: string, path = ''): void {
  const places = executable.includes('/')
    ? [executable]
    : path.split(delimiter).map((directory) => join(directory, executable));
  const failures = places.flatMap((place) => {
    try {
      accessSync(place, constants.X_OK);
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length === places.length) throw new SpawnError(executable, failures[0]);
}

/**
 * The environment without what would tell an engine that it runs inside another one, and without
 * this product's own variables: the runner's token is no business of an engine or its tools.
 */
export function stripVariables(
  env: Readonly<Record<string, string>>,
  nested: readonly (string | RegExp)[],
): Record<string, string> {
  const isNested = (name: string) =>
    nested.some((pattern) => (typeof pattern === 'string' ? pattern === name : pattern.test(name)));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isNested(name) && !name.startsWith('PILOTHOUSE_')),
  );
}
