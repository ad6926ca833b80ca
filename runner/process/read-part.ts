import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isWithin } from '../limits/paths.ts';

/** A link or a pipe where somebody else could put one is not followed, and not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** There the open file itself says where it lies, and no other one can be put in its place meanwhile. */
const LINUX = process.platform === 'linux';

/**
 * Reads a part of a file that somebody else writes: `partOf` answers which, in bytes, or null for
 * none of it. Null where there is no such file, or where it is none. Never throws.
 */
export async function readPart(
  path: string,
  partOf: (size: number) => { from: number; to: number } | null,
): Promise<{ text: string; from: number } | null> {
  try {
    const file = await open(path, FLAGS);
    try {
      const found = await file.stat();
      const part = found.isFile() ? partOf(found.size) : null;
      if (!part) return null;
      const { from, to } = part;
      const bytes = Buffer.alloc(Math.max(0, to - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, from);
      return { text: bytes.toString('utf8', 0, bytesRead), from };
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/**
 * Reads a whole file that somebody else writes and that really lies below `directory`, whatever was
 * put on the way to it. Null where there is none such, or a larger one than `maxBytes`. Never throws.
 */
export async function readWithin(
  path: string,
  directory: string,
  maxBytes: number,
): Promise<string | null> {
  try {
    const file = await open(path, FLAGS);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > maxBytes) return null;
      const at = await realpath(LINUX ? `/proc/self/fd/${file.fd}` : path);
      return isWithin(await realpath(directory), at) ? await file.readFile('utf8') : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
