import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { signalFamily } from './family.ts';

const TAIL_CHARACTERS = 2_000;
const KILL_AFTER_MS = 2_000;
/** What a command left running may hold its output open; its last words are waited for this long. */
const DRAIN_MS = 500;
const MARK = 'PILOTHOUSE_ADR_COMMAND';
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type Ended = {
  output: string;
  code: number | null;
  timedOut: boolean;
  failure: string | null;
};

/**
 * Runs a program to its end and keeps the last of what it says. A time limit, and a signal to this
 * process, end everything that it started, what detached itself included.
 */
export function runCommand(
  argv: readonly [string, ...string[]],
  options: { cwd: string; timeoutMs: number },
): Promise<Ended> {
  const [program, ...args] = argv;
  const id = randomUUID();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, [MARK]: id },
    });
    const signalAll = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) signalFamily(child.pid, `${MARK}=${id}`, signal);
    };
    // In a group of its own it does not hear the terminal; nobody would end it.
    const onInterrupt = (signal: NodeJS.Signals): void => {
      signalAll('SIGKILL');
      finish();
      process.kill(process.pid, signal);
    };
    const timers: NodeJS.Timeout[] = [];
    const finish = (): void => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of INTERRUPTS) process.off(signal, onInterrupt);
    };
    let output = '';
    let timedOut = false;
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-TAIL_CHARACTERS);
    };
    const letGo = (): void => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    for (const signal of INTERRUPTS) process.on(signal, onInterrupt);
    timers.push(
      setTimeout(() => {
        timedOut = true;
        signalAll('SIGTERM');
        timers.push(
          setTimeout(() => {
            signalAll('SIGKILL');
            letGo();
          }, KILL_AFTER_MS),
        );
      }, options.timeoutMs),
    );
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      finish();
      resolve({ output: '', code: null, timedOut: false, failure: error.message });
    });
    child.on('exit', () => {
      if (!timedOut) timers.push(setTimeout(letGo, DRAIN_MS));
    });
    child.on('close', (code) => {
      // Its first process obeyed; what it left behind may not have.
      if (timedOut) signalAll('SIGKILL');
      finish();
      resolve({ output: output.trim(), code, timedOut, failure: null });
    });
  });
}
