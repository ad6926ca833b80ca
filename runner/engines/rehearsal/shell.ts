import { type ChildProcess, spawn } from 'node:child_process';

type ShellEnd = { exitCode: number | null; output: string; interrupted: boolean };

/** A command under way. It runs in a session of its own, as the tools of real engines do. */
export type Shell = { child: ChildProcess; ended: Promise<ShellEnd>; interrupt(): void };

/** Starts `command` in a shell. Output of both streams is kept in the order in which it came. */
export function startShell(command: string, directory: string, timeoutMs: number): Shell {
  const child = spawn('bash', ['-c', command], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    killGroup(child);
  };
  const timer = setTimeout(interrupt, timeoutMs);
  const ended = new Promise<ShellEnd>((resolve) => {
    const end = (exitCode: number | null, failure = '') => {
      clearTimeout(timer);
      resolve({
        exitCode,
        output: `${Buffer.concat(pieces).toString('utf8')}${failure}`.trimEnd(),
        interrupted,
      });
    };
    child.once('error', (error) => end(127, error.message));
    child.once('close', (exitCode) => end(exitCode));
  });
  return { child, ended, interrupt };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // It ended between the look and the kill.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
