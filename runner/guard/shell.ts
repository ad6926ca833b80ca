import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { SessionId } from '../../protocol/ids.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { systemCodeOf } from '../failure.ts';
import { markedArgv } from '../process/mark.ts';

export type ShellRequest = {
  /** One line for `/bin/sh -c`. */
  command: string;
  directory: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** What is said when the time is over, after "ended after N s". */
  timeoutWords: string;
  /** Whose processes they are, so that what it leaves running is found. */
  marker: SessionId;
  /** Which end of an output that is too long is kept. */
  keep: 'first' | 'last';
  /** The process as the session's grade lets it run. */
  seal?: ((plan: SpawnPlan) => Promise<SpawnPlan>) | undefined;
  /** Ends it when the session is stopped. */
  signal?: AbortSignal | undefined;
  /** A file that it reads as its input; without one its input is empty. */
  inputFile?: string | undefined;
};

export type ShellResult = {
  /** Null: it was ended, and the output's last line says why. */
  exitCode: number | null;
  output: string;
};

/** Output beyond this is not kept, and the text says so. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How long output may come after the command itself ended, from what it left running. */
const LATE_OUTPUT_MS = 500;
const KILL_AFTER_MS = 3_000;

/** Runs one line of a shell to its end, its time or its session's stop, and what it started with it. */
export async function runShell(request: ShellRequest): Promise<ShellResult> {
  const { command, directory, seal } = request;
  const open: SpawnPlan = {
    argv: ['/bin/sh', '-c', command],
    directory,
    env: withoutGit(request.env),
  };
  return runPlan((await seal?.(open)) ?? open, request);
}

function runPlan(plan: SpawnPlan, request: ShellRequest): Promise<ShellResult> {
  const { directory, timeoutMs, timeoutWords, marker, keep, signal } = request;
  return new Promise((resolve, reject) => {
    const [file, ...args] = markedArgv(plan.argv, marker);
    const input = request.inputFile === undefined ? null : openSync(request.inputFile, 'r');
    const child = spawn(file, args, {
      cwd: directory,
      env: plan.env,
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
      // A group of its own, so that what the command starts ends with it.
      detached: true,
    });
    if (input !== null) closeSync(input);
    const output = collect(child, keep);
    let reason: string | null = null;
    const end = (why: string): void => {
      reason ??= why;
      killGroup(child, 'SIGTERM');
      setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref();
    };
    const timer = setTimeout(
      () => end(`ended after ${timeoutMs / 1000} s, ${timeoutWords}`),
      timeoutMs,
    );
    const onAbort = (): void => end('ended because the session was stopped');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const settle = (exitCode: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (reason !== null) killGroup(child, 'SIGKILL');
      const text = output();
      resolve({
        exitCode: reason === null ? exitCode : null,
        output: reason === null ? text : `${text}\n[${reason}]\n`,
      });
    };
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', settle);
    child.on('exit', (exitCode) => {
      // What it left running may hold the pipes open for as long as it lives.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        settle(exitCode);
      }, LATE_OUTPUT_MS).unref();
    });
  });
}

/** Git's own variables would turn it to another repository than the one it runs in. */
function withoutGit(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !/^GIT_(?!SSH|ASKPASS)/.test(entry[0]),
    ),
  );
}

function collect(child: ChildProcess, keep: ShellRequest['keep']): () => string {
  const chunks: Buffer[] = [];
  let held = 0;
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (keep === 'first' && held >= MAX_OUTPUT_BYTES) return;
    chunks.push(chunk);
    held += chunk.length;
    if (keep === 'first') return;
    while (held - (chunks[0]?.length ?? 0) >= MAX_OUTPUT_BYTES) held -= chunks.shift()?.length ?? 0;
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => {
    const text = Buffer.concat(chunks).toString();
    if (bytes <= MAX_OUTPUT_BYTES) return text;
    return keep === 'first'
      ? `${text}\n[output beyond ${MAX_OUTPUT_BYTES} bytes was not kept]\n`
      : `[${bytes - held} bytes of output before this were not kept]\n${text}`;
  };
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (systemCodeOf(error) !== 'ESRCH') throw error;
  }
}
