import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { type Answer, askProgram } from '../process/ask.ts';

/** A look at an engine is over by then, whatever did not answer, in ms. */
export const PREFLIGHT_WITHIN_MS = 3_000;
/** Each question waits at most this long; what is left of the look ends what was asked. */
export const ANSWER_WITHIN_MS = 2_400;

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

/** The version that an executable tells of itself; `late`: it did not answer in time. */
export type AskedVersion = { version: string | null; late: boolean };

/**
 * Asks an executable for its version. One that does not answer in time has the version of the
 * package of this name that it belongs to, where it is in one: `version` is null where neither says.
 */
export async function askVersion(
  executable: string,
  env: Readonly<Record<string, string>>,
  {
    packages = [],
    withinMs = ANSWER_WITHIN_MS,
  }: { packages?: readonly string[]; withinMs?: number } = {},
): Promise<AskedVersion> {
  const answer = await askProgram(executable, ['--version'], env, withinMs);
  const said = VERSION.exec(answer?.output ?? '')?.[0] ?? null;
  const late = answer?.late === true && said === null;
  return { late, version: late ? readInstalledVersion(executable, packages) : said };
}

/** What an executable says to some arguments, in the time that each question has. */
export const askExecutable = (
  executable: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Answer | null> => askProgram(executable, args, env, ANSWER_WITHIN_MS);

const VERSION = /\d+\.\d+\.\d+/;
const manifest = z.object({ name: z.string(), version: z.string() });
/** From an executable up to the package that it is in: `vendor/TRIPLE/bin` is the longest way. */
const LEVELS_UP = 4;

/**
 * The version of an executable without starting it: of the package of npm's that it is in, or of
 * where it lies, as claude's own installer and Homebrew name a place (`versions/2.1.332`,
 * `Caskroom/codex/0.171.0/codex`). Null where neither says.
 */
export function readInstalledVersion(
  executable: string,
  packages: readonly string[],
): string | null {
  let place = realpathSync(executable);
  for (let level = 0; level < LEVELS_UP; level++) {
    const named = level === 0 || packages.includes(basename(dirname(place)));
    if (named && /^\d+\.\d+\.\d+$/.test(basename(place))) return basename(place);
    place = dirname(place);
    const found = readManifest(place);
    if (found && packages.includes(found.name)) return VERSION.exec(found.version)?.[0] ?? null;
  }
  return null;
}

function readManifest(directory: string): z.infer<typeof manifest> | null {
  try {
    const text = readFileSync(join(directory, 'package.json'), 'utf8');
    return manifest.safeParse(parseJson(text)).data ?? null;
  } catch {
    // No package begins here.
    return null;
  }
}
