import { readdir } from 'node:fs/promises';
import type { Look } from '../engines/terminal-books.ts';
import { readPart } from '../process/read-part.ts';

/** Looks at files on this machine; `whereLies` says where a file is that an engine knows by its name. */
export function lookThrough(whereLies: (path: string) => string): Look {
  return {
    tail: (path, maxBytes) =>
      readPart(whereLies(path), (size) => ({ from: Math.max(0, size - maxBytes), to: size })),
    list: async (path) =>
      (await readdir(whereLies(path)).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}
