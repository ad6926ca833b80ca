import { closeSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { languageOf } from './languages.ts';

const FIRST_LINE_BYTES = 128;
/** What a first line (`#!/usr/bin/env node`) names, with the ending that such a file would have. */
const INTERPRETERS: readonly [RegExp, string][] = [
  [/\b(?:bun|deno|tsx|ts-node)\b/, '.ts'],
  [/\bnode(?:js)?\b/, '.js'],
  [/\b(?:python|pypy)[\d.]*\b|\buv run\b/, '.py'],
];

/**
 * The name by which a file's code is read: its own, or, for a program whose name has no ending,
 * the one that its first line calls for. What is not there keeps its name.
 */
export function codeName(root: string, path: string): string {
  if (posix.basename(path).includes('.')) return path;
  const line = firstLine(join(root, path));
  if (!line.startsWith('#!')) return path;
  return path + (INTERPRETERS.find(([named]) => named.test(line))?.[1] ?? '');
}

/** Whether the imports of a file can be read. */
export const isCode = (root: string, path: string): boolean =>
  languageOf(codeName(root, path)) !== null;

function firstLine(file: string): string {
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    const open = openSync(file, 'r');
    try {
      const size = readSync(open, bytes, 0, FIRST_LINE_BYTES, 0);
      return bytes.toString('latin1', 0, size).split('\n')[0] ?? '';
    } finally {
      closeSync(open);
    }
  } catch {
    // It is gone, or nobody may read it: a rule that looks at it says so.
    return '';
  }
}
