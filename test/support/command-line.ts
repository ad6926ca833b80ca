import { vi } from 'vitest';
import { runCli } from '../../runner/cli/program.ts';
import type { FakeCloud } from './fake-cloud.ts';

export type Ended = { exitCode: number; stdout: string; stderr: string };

/**
 * Runs one command line in this process, as `pilothouse` does in its own: the same parser, the
 * same HTTP and WebSocket, with what it prints kept. One at a time, for a process has one
 * standard output.
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  for (const [name, value] of Object.entries({ ...PLAIN, ...env })) vi.stubEnv(name, value);
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
  const listeners = process.listeners('SIGINT');
  try {
    const exitCode = await runCli(args);
    return { exitCode, stdout, stderr };
  } finally {
    for (const listener of process.listeners('SIGINT'))
      if (!listeners.includes(listener)) process.off('SIGINT', listener);
    out.mockRestore();
    err.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** No colours, and no instance of the person who runs the tests. */
const PLAIN = {
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  PILOTHOUSE_URL: undefined,
  PILOTHOUSE_TOKEN: undefined,
  PILOTHOUSE_DATA: '/nowhere/pilothouse',
};

/** Runs a command line against a cloud, found by the environment. */
export function runOn(cloud: FakeCloud, ...args: string[]): Promise<Ended> {
  return runCommand(args, { PILOTHOUSE_URL: cloud.url, PILOTHOUSE_TOKEN: cloud.token });
}

/** What a command prints with `--json`, as a program reads it. */
export async function jsonOf(cloud: FakeCloud, ...args: string[]): Promise<unknown> {
  const { stdout, stderr } = await runOn(cloud, ...args, '--json');
  if (stderr !== '') throw new Error(`standard error is not empty: ${stderr}`);
  return JSON.parse(stdout);
}
