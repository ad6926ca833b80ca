import { spawn } from 'node:child_process';
import { PilothouseError } from '../../protocol/errors.ts';

export type ConfigPair = readonly [key: string, value: string];

export type GitOptions = {
  directory: string;
  /** Explicit places; a git directory that is named is never searched for. */
  env?: Readonly<Record<string, string>>;
  config?: readonly ConfigPair[];
  input?: string;
  timeoutMs?: number;
  /**
   * Read the person's own configuration too. Only for what must behave as their own git does in
   * their own working tree, such as filters when their changes are recorded.
   */
  personal?: boolean;
  /** Settings that must hold here as the person has them, such as how a real remote is reached. */
  unhardened?: readonly string[];
  /** What it prints is of no interest, and may be larger than memory. */
  discard?: boolean;
};

export type GitResult = { exitCode: number; stdout: string; stderr: string };

const GIT_TIMEOUT_MS = 120_000;

/** Nothing that a repository brings along may start a program, whatever it is called. */
const HARDENED: readonly ConfigPair[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.fsckObjects', 'true'],
  ['transfer.fsckObjects', 'true'],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
];

/**
 * The environment of git on our side: nothing of the person's `GIT_*` (an inherited `GIT_DIR`
 * would turn every command to another repository), no prompt, no transport but local files, no
 * fetching of missing objects behind our back.
 */
export function gitEnvironment(
  env: NodeJS.ProcessEnv,
  config: readonly ConfigPair[] = [],
  personal = false,
  unhardened: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && !entry[0].startsWith('GIT_') && entry[0] !== 'SSH_ASKPASS';
  });
  const pairs = [...config, ...HARDENED.filter(([key]) => !unhardened.includes(key))];
  return {
    ...Object.fromEntries(kept),
    ...(personal
      ? {}
      : { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }),
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_DEFAULT_REF_FORMAT: 'files',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** Runs git and returns how it ended. Throws when git is not there or exceeds its time. */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { directory, timeoutMs = GIT_TIMEOUT_MS } = options;
  const env = {
    ...gitEnvironment(process.env, options.config, options.personal, options.unhardened),
    ...options.env,
  };
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...args], {
      cwd: directory,
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['pipe', options.discard ? 'ignore' : 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    // A command that fails early closes its input; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
    child.on('error', (cause) => {
      const detail = `git could not be started in ${directory}: ${cause.message}`;
      reject(new PilothouseError('workspace_refused', { detail }, { cause }));
    });
    child.on('close', (exitCode, signal) => {
      if (exitCode === null) {
        const detail = `\`git ${args[0]}\` was ended by ${signal} (its time limit is ${timeoutMs / 1000} s)`;
        reject(new PilothouseError('workspace_refused', { detail }));
        return;
      }
      resolve({
        exitCode,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      });
    });
  });
}

/** Runs git and returns what it printed, without the last line break. Throws when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await runGit(args, options);
  if (exitCode === 0) return stdout.replace(/\n$/, '');
  const reason = stderr.trim().split('\n').slice(0, 3).join(' ') || `exit code ${exitCode}`;
  throw new PilothouseError('workspace_refused', { detail: `\`git ${args[0]}\`: ${reason}` });
}

/** Like {@link git}, but a failure is the answer null: the thing asked for is not there. */
export async function gitOrNull(
  args: readonly string[],
  options: GitOptions,
): Promise<string | null> {
  const { exitCode, stdout } = await runGit(args, options);
  return exitCode === 0 ? stdout.replace(/\n$/, '') : null;
}

/** The items of output that ends each with a zero byte, as names may hold anything else. */
export function splitZero(output: string): string[] {
  return output.split('\0').filter((item) => item !== '');
}
