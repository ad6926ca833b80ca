import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quoteText } from '../../../protocol/shell-word.ts';
import { systemCodeOf } from '../../failure.ts';

/** How long the reader may take to open its end, and how often it is tried, in ms. */
const READER_MS = 10_000;
const AGAIN_MS = 10;
/** What a pipe takes at once, in bytes: nothing here waits for a slow reader. */
export const SECRETS_MAX_BYTES = 32 * 1024;

/** The path of a pipe that is read once; what goes through it is in no argument and no file. */
export type SecretPipe = {
  path: string;
  /** Resolves to whether somebody read it; it is gone then either way. */
  given: Promise<boolean>;
  /** Takes it away where nobody will come to read it. */
  drop(): void;
};

/**
 * Reads variables from the pipe `$1`, which is gone before anything is started, and becomes the
 * rest of its arguments. Without the pipe nothing is started: the program would run with less than
 * was promised.
 */
export const LOAD_SCRIPT = '. "$1" && rm -f "$1" && shift && exec "$@"';

/** Makes a pipe of the person's own and gives variables to its first reader. */
export async function openSecretPipe(
  root: string,
  variables: Readonly<Record<string, string>>,
): Promise<SecretPipe> {
  const text = Buffer.from(asExports(variables));
  if (text.length > SECRETS_MAX_BYTES) throw new RangeError('more variables than a pipe holds');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const path = join(root, `once-${randomBytes(12).toString('hex')}`);
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  const dropped = new AbortController();
  const given = give(path, text, dropped.signal);
  // Who never comes to ask for it, because what would have read it was not begun, misses nothing.
  given.catch(() => undefined);
  return { path, given, drop: () => dropped.abort() };
}

async function give(path: string, text: Buffer, dropped: AbortSignal): Promise<boolean> {
  const end = Date.now() + READER_MS;
  try {
    while (Date.now() < end && !dropped.aborted) {
      const fd = openToReader(path);
      if (fd !== null) {
        writeSync(fd, text);
        closeSync(fd);
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Null while nobody reads. */
function openToReader(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === 'ENXIO') return null;
    throw error;
  }
}

/** Lines of a POSIX shell that set variables to exactly these values. Throws for names that are none. */
export function asExports(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new RangeError(`${name} is no name of a variable`);
      return `export ${name}=${quoteText(value)}\n`;
    })
    .join('');
}
