import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { systemCodeOf } from '../failure.ts';

/** The last bytes of a file as text, with its whole size in bytes. `cut`: it holds more before them. */
export type Tail = { text: string; size: number; cut: boolean };

/** Reads the last `maxBytes` bytes of a file that may be gone, which reads as empty. */
export function readTail(path: string, maxBytes: number): Tail {
  const fd = openExisting(path, 'r');
  if (fd === null) return { text: '', size: 0, cut: false };
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(0, size - maxBytes);
    const tail = Buffer.alloc(size - start);
    const bytes = readSync(fd, tail, 0, tail.length, start);
    return { text: tail.toString('utf8', 0, bytes), size, cut: start > 0 };
  } finally {
    closeSync(fd);
  }
}

/** Opens a file, or answers null when it is gone. */
export function openExisting(path: string, flags: 'r' | 'r+'): number | null {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
