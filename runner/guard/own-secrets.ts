import { readFile, stat } from 'node:fs/promises';
import { messageOf, systemCodeOf } from '../failure.ts';
import { secretsOfFile, type Secret } from './secrets.ts';

/** Far above any settings file; claude's holds a history of projects too. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Values under secret-looking names that are none: the name of a variable that holds the key, a
 * choice in plain words (`auth = "keyring"`), a place.
 */
const NO_SECRET = /^([A-Z][A-Z0-9_]*|[a-z]+([_ -][a-z]+)*|[~/.][\w./-]*)$/;

/** A file that was not searched although it is there, and why: `EIO`, or that it is too long. */
export type UnreadFile = { path: string; reason: string };

/**
 * The secrets in engines' own files, such as a stored login or an `.env` that one loads itself: the
 * tools of any engine can print them as well as a variable. A file that is not there, or that nobody
 * but another user may read, gives none. Any other that cannot be searched is named in `unread`: it
 * keeps no engine from running, since most are those of engines that do not run.
 */
export async function readOwnSecrets(
  paths: readonly string[],
): Promise<{ secrets: Secret[]; unread: UnreadFile[] }> {
  const found = await Promise.all(paths.map(readSecrets));
  return {
    secrets: found.flatMap(({ secrets }) => secrets).filter(({ value }) => !NO_SECRET.test(value)),
    unread: found.flatMap(({ unread }) => unread),
  };
}

const NONE = { secrets: [], unread: [] };
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

async function readSecrets(path: string): Promise<{ secrets: Secret[]; unread: UnreadFile[] }> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return NONE;
    if (stats.size > MAX_FILE_BYTES)
      return { secrets: [], unread: [{ path, reason: `longer than ${MAX_FILE_BYTES} bytes` }] };
    return { secrets: secretsOfFile(path, await readFile(path, 'utf8')), unread: [] };
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== null && ABSENT.has(code)) return NONE;
    return { secrets: [], unread: [{ path, reason: code ?? messageOf(error) }] };
  }
}
