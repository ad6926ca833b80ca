import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../runner/main.ts', import.meta.url));
const START_TIMEOUT_MS = 110_000;

/** The environment of a person with an empty home directory and no engine but the rehearsal. */
export function environmentFor(home: string): NodeJS.ProcessEnv {
  return {
    HOME: home,
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
}

export type Finished = { exitCode: number | null; stdout: string; stderr: string };

/** Runs the command line to its end, as a process. */
export const runPilothouse = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<Finished> => runScript(MAIN, args, env, cwd);

/** Runs a script to its end, as a process. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [script, ...args], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode] = await once(child, 'close');
  return { exitCode: exitCode as number | null, stdout, stderr };
}

export type Installation = {
  data: string;
  url: string;
  /** The one-time sign-in link that was printed. */
  link: string;
  pid: number;
  env: NodeJS.ProcessEnv;
  output(): string;
  /** Waits until what it printed matches. */
  printed(pattern: RegExp): Promise<void>;
  /** Ends the host by a signal and answers its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts an installation as `npm start` does, on any free port. */
export async function startInstallation(
  home: string,
  args: readonly string[] = [],
  more: NodeJS.ProcessEnv = {},
): Promise<Installation> {
  const data = join(home, 'data');
  const env = { ...environmentFor(home), PILOTHOUSE_DATA: data, ...more };
  const child = spawn(process.execPath, [MAIN, 'up', '--port', '0', ...args], {
    env,
    // Where the product lies is not where a person stands.
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const printed = (pattern: RegExp) => awaitOutput(child, () => output, pattern);
  await printed(/works once:\n\s+http\S+/);
  const link = /works once:\n\s+(http\S+)/.exec(output)?.[1] ?? '';
  return {
    data,
    url: new URL(link).origin,
    link,
    pid: child.pid ?? 0,
    env,
    output: () => output,
    printed,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.kill(signal);
      const [exitCode] = await closed;
      return exitCode as number | null;
    },
  };
}

async function awaitOutput(
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (!pattern.test(output())) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > until) {
      throw new Error(`it did not print ${pattern} but:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Signs in with a link as a browser does; answers the cookie. */
export async function signIn(installation: Installation): Promise<Response> {
  return fetch(new URL('/v1/sign-in', installation.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: installation.url },
    body: JSON.stringify({ token: new URL(installation.link).hash.slice(1) }),
  });
}

/** Waits until a condition holds; it is asked again and again. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`it never came to be that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
