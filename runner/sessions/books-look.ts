import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { Look } from '../engines/terminal-books.ts';

/** A link or a pipe where a session could put one is not followed, and not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Looks at files on this machine; `whereLies` says where a file is that an engine knows by its name. */
export function lookThrough(whereLies: (path: string) => string): Look {
  return {
    tail: (path, maxBytes) => readTail(whereLies(path), maxBytes).catch(() => null),
    list: async (path) =>
      (await readdir(whereLies(path)).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

async function readTail(
  path: string,
  maxBytes: number,
): Promise<{ text: string; from: number } | null> {
  const file = await open(path, FLAGS);
  try {
    const found = await file.stat();
    if (!found.isFile()) return null;
    const from = Math.max(0, found.size - maxBytes);
    const bytes = Buffer.alloc(found.size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, from);
    return { text: bytes.toString('utf8', 0, bytesRead), from };
  } finally {
    await file.close();
  }
}
