import { readFile, stat } from 'node:fs/promises';
import { systemCodeOf } from '../failure.ts';
import { secretsOfFile, type Secret } from './secrets.ts';

/** Far above any settings file; claude's holds a history of projects too. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Values under secret-looking names that are none: the name of a variable that holds the key, a
 * choice in plain words (`auth = "keyring"`), a place.
 */
const NO_SECRET = /^([A-Z][A-Z0-9_]*|[a-z]+([_ -][a-z]+)*|[~/.][\w./-]*)$/;

/**
 * The secrets in an engine's own files, such as a stored login or an `.env` that it loads itself:
 * its tools can print them as well as a variable. A file that is not there, or that nobody but
 * another user may read, gives none.
 */
export async function readOwnSecrets(paths: readonly string[]): Promise<Secret[]> {
  const found = await Promise.all(paths.map(readSecrets));
  return found.flat().filter(({ value }) => !NO_SECRET.test(value));
}

async function readSecrets(path: string): Promise<Secret[]> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return [];
    return secretsOfFile(path, await readFile(path, 'utf8'));
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
}
