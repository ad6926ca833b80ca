import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Each question to an executable waits at most this long: a hung one must not hold up the others. */
export const ANSWER_WITHIN_MS = 8_000;

/**
 * An engine's executable: the one that `named` (an environment variable of the tests) says, then
 * the one on PATH, then one in `places`, where its installers put it. A whole path is itself. Null
 * when there is none.
 */
export function findExecutable(
  name: string,
  env: NodeJS.ProcessEnv,
  named: string,
  places: readonly string[],
): string | null {
  const chosen = env[named];
  if (chosen) return isExecutable(chosen) ? chosen : null;
  if (isAbsolute(name)) return isExecutable(name) ? name : null;
  const directories = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => isAbsolute(directory));
  return (
    [...directories, ...places].map((directory) => join(directory, name)).find(isExecutable) ?? null
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // A directory may be "executed" too, which means no more than to be entered.
    return statSync(path).isFile();
  } catch {
    // Absent and not executable are the same answer here.
    return false;
  }
}

/** Whether a dotted version comes before `least`. */
export function isOlder(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

/** An answer of an executable; `late` is one that did not come in time. */
export type Asked = { output: string | null; late: boolean };

/** The version that an executable tells of itself, null when it tells none, and whether it is only that no answer came in time. */
export async function askVersion(
  executable: string,
  env: Record<string, string>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Asked & { version: string | null }> {
  const { output, late } = await ask(executable, ['--version'], env, withinMs);
  return { output, late, version: /\d+\.\d+\.\d+/.exec(output ?? '')?.[0] ?? null };
}

/** What the executable prints, whatever its exit status; null when it cannot be asked in time. */
export async function askExecutable(
  executable: string,
  args: string[],
  env: Record<string, string>,
): Promise<string | null> {
  return (await ask(executable, args, env, ANSWER_WITHIN_MS)).output;
}

/** The same, with what it prints as errors first: some tell of themselves there. */
export async function askOnBoth(
  executable: string,
  args: string[],
  env: Record<string, string>,
): Promise<string | null> {
  const { output, errors } = await ask(executable, args, env, ANSWER_WITHIN_MS);
  return output === null && errors === '' ? null : `${errors}${output ?? ''}`;
}

async function ask(
  executable: string,
  args: string[],
  env: Record<string, string>,
  withinMs: number,
): Promise<Asked & { errors: string }> {
  const options = { env, timeout: withinMs, killSignal: 'SIGKILL' as const };
  try {
    const { stdout, stderr } = await run(executable, args, options);
    return { output: stdout, errors: stderr, late: false };
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('stdout' in error))
      return { output: null, errors: '', late: false };
    const output = typeof error.stdout === 'string' && error.stdout ? error.stdout : null;
    const errors = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
    return { output, errors, late: 'killed' in error && error.killed === true };
  }
}
