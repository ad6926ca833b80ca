import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One line of a reflog: where a ref went, when (Unix seconds), and in git's words why. */
export type LogEntry = { ref: string; after: string; at: number; message: string };

/** The end of a reflog that is read, in bytes; a turn adds a few hundred to it. */
const MAX_BYTES = 256 * 1024;
const MAX_FILES = 2_000;

/**
 * Reads the reflogs below a directory. A session can write them, so nothing but plain files is
 * opened, of each only the end, and of many only so many. A log that is not there says nothing.
 */
export async function readLogs(directories: readonly string[]): Promise<LogEntry[]> {
  const files = { left: MAX_FILES };
  const entries = await Promise.all(
    directories.map(async (directory) => [
      ...parseLog('HEAD', readEnd(join(directory, 'HEAD'))),
      ...(await readBelow(directory, 'refs', files)),
    ]),
  );
  return entries.flat();
}

async function readBelow(root: string, name: string, files: { left: number }): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const path = join(root, name);
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return entries;
  for (const found of await readdir(path, { withFileTypes: true })) {
    if ((files.left -= 1) < 0) break;
    const inner = `${name}/${found.name}`;
    if (found.isDirectory()) entries.push(...(await readBelow(root, inner, files)));
    else if (found.isFile()) entries.push(...parseLog(inner, readEnd(join(root, inner))));
  }
  return entries;
}

/** The end of a plain file; nothing for whatever else is there. */
export function readEnd(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return '';
    const length = Math.min(stats.size, MAX_BYTES);
    const buffer = Buffer.alloc(length);
    readSync(file, buffer, 0, length, stats.size - length);
    return buffer.toString();
  } finally {
    closeSync(file);
  }
}

function parseLog(ref: string, text: string): LogEntry[] {
  return text.split('\n').flatMap((line) => {
    const match = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}(?:\t(.*))?$/.exec(line);
    const [, after, at, message = ''] = match ?? [];
    return after && at ? [{ ref, after, at: Number(at), message }] : [];
  });
}

/** Git's words for a commit that was made here, as opposed to one that was taken from elsewhere. */
const MADE =
  /^(commit|cherry-pick|revert|rebase|am\b|merge (?!.*Fast-forward)|pull.*(Merge made|rebase))/;
const PUSHED = 'update by push';

export const isMaking = ({ message }: LogEntry): boolean => MADE.test(message);

/** A remote branch that is known to be somewhere because this repository pushed it there. */
export const isPushing = ({ ref, message }: LogEntry): boolean =>
  ref.startsWith('refs/remotes/') && message.startsWith(PUSHED);

/** A remote branch that is known to be somewhere because it was fetched. */
export const isFetching = (entry: LogEntry): boolean =>
  entry.ref.startsWith('refs/remotes/') && !isPushing(entry);
