import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all: whoever reads it meets what it was or what it is. Private. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
