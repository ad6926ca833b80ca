import { spawn, type ChildProcess } from 'node:child_process';
import type { EventOf } from '../../protocol/engine-event.ts';
import { EVENT_TEXT_MAX_BYTES } from '../../protocol/text.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { systemCodeOf } from '../failure.ts';
import { findRepositoryLimits, type Limits } from '../limits.ts';
import { markedArgv } from '../process/mark.ts';
import { capText } from './cap.ts';
import type { Checkout } from './checkout.ts';
import type { Redactor } from './redact.ts';

export type SetupRequest = {
  checkout: Checkout;
  limits: Limits;
  env: NodeJS.ProcessEnv;
  redactor: Pick<Redactor, 'text'>;
  /** The process as the session's grade lets it run. */
  seal?: (plan: SpawnPlan) => SpawnPlan;
  /** Ends the set-up when the session is stopped. */
  signal?: AbortSignal;
};

/** Output beyond this is not kept, and the text says so. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How long output may come after the command itself ended, from what it left running. */
const LATE_OUTPUT_MS = 500;
const KILL_AFTER_MS = 3_000;

/**
 * Runs the set-up command that limits.toml gives the repository, in a checkout of the session's
 * own; null when there is none. Its exit code is null when it was ended for exceeding its time or
 * because the session was stopped; the output's last line says which.
 */
export async function runSetup(request: SetupRequest): Promise<EventOf<'setup/ran'> | null> {
  const { checkout, limits } = request;
  if (checkout.mode !== 'own') return null;
  const repository = findRepositoryLimits(limits, checkout.source.top);
  if (repository === null || repository.setup === null) return null;
  const startedAt = performance.now();
  const { exitCode, output } = await execute(
    repository.setup,
    checkout.top,
    repository.setupTimeoutMs,
    request,
  );
  return {
    type: 'setup/ran',
    command: request.redactor.text(repository.setup),
    exitCode,
    output: capText(request.redactor.text(output), EVENT_TEXT_MAX_BYTES, { keep: 'headTail' }),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function execute(
  command: string,
  directory: string,
  timeoutMs: number,
  { env, signal, seal, checkout: { sessionId: marker } }: SetupRequest,
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const open: SpawnPlan = {
      argv: ['/bin/sh', '-c', command],
      directory,
      env: Object.fromEntries(
        Object.entries(env).filter(
          (entry): entry is [string, string] =>
            entry[1] !== undefined && !/^GIT_(?!SSH|ASKPASS)/.test(entry[0]),
        ),
      ),
    };
    const plan = seal?.(open) ?? open;
    const [file, ...args] = markedArgv(plan.argv, marker);
    const child = spawn(file, args, {
      cwd: directory,
      env: plan.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what the command starts ends with it.
      detached: true,
    });
    const output = collect(child);
    let reason: string | null = null;
    const end = (why: string): void => {
      reason ??= why;
      killGroup(child, 'SIGTERM');
      setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref();
    };
    const timer = setTimeout(
      () => end(`ended after ${timeoutMs / 1000} s, the time that limits.toml allows`),
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
        child.stdout.destroy();
        child.stderr.destroy();
        settle(exitCode);
      }, LATE_OUTPUT_MS).unref();
    });
  });
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    if (bytes < MAX_OUTPUT_BYTES) chunks.push(chunk);
    bytes += chunk.length;
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => {
    const text = Buffer.concat(chunks).toString();
    return bytes > MAX_OUTPUT_BYTES
      ? `${text}\n[output beyond ${MAX_OUTPUT_BYTES} bytes was not kept]\n`
      : text;
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
