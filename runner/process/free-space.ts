import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Free space below which no engine is started, in bytes: what one turn may write at most, and
 * room for the runner's own records beside it.
 */
export const FREE_FLOOR_BYTES = 1024 ** 3;

/** Free bytes of the file system, asked of the nearest directory that exists. */
export async function readFreeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(directory);
    if (parent === directory) throw error;
    return readFreeBytes(parent);
  }
}
