import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './orphans.ts';
import { PRODUCT_ROOT } from './layout.ts';
import { decideRestart } from './restart-policy.ts';

/** How long the runner may take to end its engines before it is ended itself. */
const STOP_GRACE_MS = 15_000;

/** A runner mostly waits: a small nursery keeps the memory of a burst from staying with it. */
const NODE_FLAGS = ['--max-semi-space-size=1'];

/** What a runner says to its host before it ends, where starting it again cannot help. */
export const REFUSED_FOR_GOOD = 'refused-for-good';

export type RunnerProcessOptions = {
  env: Readonly<Record<string, string>>;
  pidFile: string;
  log(text: string): void;
};

export type RunnerProcess = { stop(): Promise<void> };

/**
 * Keeps the local runner running: starts it, starts it again when it ends by itself, and on
 * `stop` lets it end its engines first.
 *
 * It is in a process group of its own, so that Ctrl-C in the terminal does not reach it and the
 * engines before the host has said so. Its IPC channel closes when the host dies, however it
 * dies; the runner then ends by itself.
 */
export function superviseRunner(options: RunnerProcessOptions): RunnerProcess {
  let child: ChildProcess | null = null;
  let stopping = false;
  let failures = 0;
  let refused = false;
  let timer: NodeJS.Timeout | null = null;

  const start = () => {
    const startedAt = Date.now();
    const started = spawn(
      process.execPath,
      [...NODE_FLAGS, join(PRODUCT_ROOT, 'runner', 'main.ts'), 'runner', 'start'],
      {
        env: { ...process.env, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: true,
      },
    );
    child = started;
    if (started.pid) writeFileSync(options.pidFile, String(started.pid));
    started.stdout?.on('data', (chunk: Buffer) => options.log(chunk.toString()));
    started.stderr?.on('data', (chunk: Buffer) => options.log(chunk.toString()));
    started.once('error', (error) =>
      options.log(`the runner could not be started: ${error.message}\n`),
    );
    started.once('message', (said) => (refused ||= said === REFUSED_FOR_GOOD));
    started.once('close', (exitCode, signal) => {
      child = null;
      rmSync(options.pidFile, { force: true });
      if (stopping) return;
      if (refused) {
        options.log(
          'the runner’s access was taken back: it is started again with the next npm start\n',
        );
        return;
      }
      const decision = decideRestart(failures, Date.now() - startedAt);
      failures = decision.failures;
      options.log(
        `the runner ended (${signal ?? exitCode}); starting it again in ${decision.delayMs} ms\n`,
      );
      timer = setTimeout(start, decision.delayMs);
    });
  };
  start();

  return {
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      const ending = child;
      if (!ending?.pid || !isAlive(ending.pid)) return;
      const closed = new Promise<void>((resolve) => ending.once('close', () => resolve()));
      ending.kill('SIGTERM');
      const forced = setTimeout(() => ending.kill('SIGKILL'), STOP_GRACE_MS);
      await closed;
      clearTimeout(forced);
    },
  };
}
