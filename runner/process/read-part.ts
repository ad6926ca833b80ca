import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A link or a pipe where somebody else could put one is not followed, and not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

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
