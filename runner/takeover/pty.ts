import { messageOf } from '../failure.ts';
import type * as PtyModule from '@lydell/node-pty';
import type { TerminalSize } from '../../protocol/takeover.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { markedArgv, SESSION_MARKER } from '../process/mark.ts';
import { identifyProcess, type ProcessIdentity } from '../process/process-table.ts';
import { SpawnError, stripVariables } from '../process/spawn.ts';
import { PendingInput } from './pending-input.ts';

export type PtyExit = { exitCode: number | null; signal: string | null };

/** A program in a pseudo-terminal. */
export type Pty = {
  identity: ProcessIdentity;
  onOutput(listener: (text: string) => void): void;
  /** Answers how many bytes were refused. */
  write(keys: Uint8Array): number;
  resize(size: TerminalSize): void;
  /** The program waits as soon as it has filled the terminal's buffer. */
  pause(): void;
  resume(): void;
  /** What closing a terminal's window does: the program is told to hang up. */
  hangUp(): void;
  exited: Promise<PtyExit>;
};

let loaded: Promise<typeof PtyModule | null> | undefined;

/** Its binary comes with a package per platform; where there is none, nothing else is broken. */
function loadPty(): Promise<typeof PtyModule | null> {
  loaded ??= import('@lydell/node-pty').catch(() => null);
  return loaded;
}

/** Whether this machine can open a pseudo-terminal. */
export async function canOpenPty(): Promise<boolean> {
  return (await loadPty()) !== null;
}

/** What keeps this machine from opening a pseudo-terminal, tried; null when nothing does. */
export async function findPtyProblem(): Promise<string | null> {
  const pty = await loadPty();
  if (!pty) return 'its part for this platform (@lydell/node-pty) is not installed';
  try {
    const child = pty.spawn('/bin/sh', ['-c', 'exit 0'], { cols: 80, rows: 24 });
    await new Promise<void>((resolve) => child.onExit(() => resolve()));
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Starts a program in a terminal of its own, under the session's mark. Throws {@link SpawnError}. */
export async function openPty(
  plan: SpawnPlan,
  size: TerminalSize,
  marker: string,
  nestedVariables: readonly (string | RegExp)[],
): Promise<Pty> {
  const pty = await loadPty();
  const [executable] = plan.argv;
  if (!pty) throw new SpawnError(executable, new Error('there is no pseudo-terminal here'));
  const [file, ...args] = markedArgv(plan.argv, marker);
  let child: PtyModule.IPty & { fd?: number };
  try {
    child = pty.spawn(file, args, {
      name: 'xterm-256color',
      cols: size.columns,
      rows: size.rows,
      cwd: plan.directory,
      env: {
        ...stripVariables(plan.env, nestedVariables),
        COLORTERM: 'truecolor',
        [SESSION_MARKER]: marker,
      },
    });
  } catch (error) {
    throw new SpawnError(executable, error);
  }
  const input = new PendingInput(child.fd ?? -1);
  const exited = new Promise<PtyExit>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      input.close();
      resolve(signal ? { exitCode: null, signal: String(signal) } : { exitCode, signal: null });
    });
  });
  return {
    identity: identifyProcess(child.pid),
    onOutput: (listener) => void child.onData(listener),
    write: (keys) => input.push(keys),
    resize: ({ columns, rows }) => child.resize(columns, rows),
    pause: () => child.pause(),
    resume: () => child.resume(),
    hangUp: () => child.kill('SIGHUP'),
    exited,
  };
}
