import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

/** Zero where the system does not know it, and links are followed. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Reads a text file of a tree, without its byte order mark. Throws what the file system says, and
 * for bytes that are not UTF-8: read as something near, a name in them would not be found. Throws
 * for a link too: what it leads to is looked at where it is, or is not in the repository.
 */
export function readUtf8(path: string): string {
  const text = decodeUtf8(readBytes(path));
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function readBytes(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOOP')) throw error;
    const words = 'it is a link to something that the repository does not hold';
    throw new Error(words, { cause: error });
  }
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Bytes as text, every one of them. Throws when they are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text');
  return bytes.toString('utf8');
}
