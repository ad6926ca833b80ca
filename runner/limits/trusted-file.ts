import { lstatSync, readFileSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { messageOf, systemCodeOf } from '../failure.ts';

/** What decides over a machine is a page of text; whatever is larger is something else. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The text of a file that decides what this machine allows, or null when there is no such file. A
 * dangling link is not "no file". Throws `limits_unreadable`, also for a file that other users
 * could have written.
 */
export function readTrusted(path: string): string | null {
  try {
    lstatSync(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null;
    throw unreadable(path, null, messageOf(error));
  }
  try {
    const stats = statSync(path);
    const distrust = decideTrust(stats, statSync(dirname(path)), process.getuid?.() ?? null);
    if (distrust) throw unreadable(path, null, distrust);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof PilothouseError) throw error;
    throw unreadable(path, null, messageOf(error));
  }
}

/** Decides whether anybody but the person (or root) could have written the file. */
export function decideTrust(
  file: Pick<Stats, 'mode' | 'uid' | 'size'> & { isFile(): boolean },
  folder: Pick<Stats, 'mode'>,
  uid: number | null,
): string | null {
  if (!file.isFile()) return 'it is not a file';
  if (file.size > MAX_FILE_BYTES) return `it is larger than ${MAX_FILE_BYTES} bytes`;
  if (uid === null) return null;
  if (file.mode & 0o002) return 'every user of the machine can write it; run `chmod o-w` on it';
  // In a sticky directory, as /tmp is, nobody can replace a file of somebody else.
  if (folder.mode & 0o002 && !(folder.mode & 0o1000)) {
    return 'every user of the machine can replace it; run `chmod o-w` on its directory';
  }
  if (file.uid !== uid && file.uid !== 0) return 'it belongs to another user';
  return null;
}

/** The refusal of everything, with the place that has to be corrected. */
export function unreadable(path: string, line: number | null, reason: string): PilothouseError {
  const detail = `${path}${line === null ? '' : `, line ${line}`}: ${reason}`;
  return new PilothouseError('limits_unreadable', { detail, path, line });
}
