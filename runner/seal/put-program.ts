import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { quoteText } from '../../protocol/shell-word.ts';

/**
 * Puts a program of ours where a session finds it: its source, copied as it is, and a script that runs
 * it with the runner's own Node.
 */
export function putProgram(program: string, ending: 'mjs' | 'mts', source: URL): void {
  const file = `${program}.${ending}`;
  put(file, readFileSync(source, 'utf8'));
  const line = `exec ${quoteText(process.execPath)} ${quoteText(file)} "$@"`;
  put(program, `#!/bin/sh\n${line}\n`, 0o700);
}

/** Whole or not at all: a push may be reading it. */
export function put(path: string, text: string, mode = 0o600): void {
  // One that was killed in between left a file that may not be written to.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode });
  chmodSync(`${path}.new`, mode);
  renameSync(`${path}.new`, path);
}
