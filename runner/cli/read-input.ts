import { readFileSync } from 'node:fs';

const STDIN = 0;

/** The text of a file that a command names; `-` is standard input. Throws as reading a file does. */
export const readInput = (path: string): string =>
  readFileSync(path === '-' ? STDIN : path, 'utf8');
