import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A command on its way: its file, where its exit code will be, and the id of its marks. */
export type RunFiles = {
  id: string;
  directory: string;
  /** Null until it has ended. */
  exitCode(): number | null;
  remove(): void;
};

/** Paths of these characters mean nothing in any shell. */
const PLAIN = /^[\w/.@+-]+$/;

/** Puts a command into a file that only the person can read. `root` is the runner's own place. */
export function prepareRun(
  root: string,
  command: string,
  script: ((directory: string, id: string) => string) | null = null,
): RunFiles {
  const id = randomBytes(16).toString('hex');
  const own = join(root, 'runs', id);
  const directory = PLAIN.test(own) ? own : mkdtempSync(join(tmpdir(), 'pilothouse-run-'));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) =>
    writeFileSync(join(directory, name), text, { mode: 0o600 });
  write('command', command.endsWith('\n') ? command : `${command}\n`);
  if (script) write('run', script(directory, id));
  const exit = join(directory, 'exit');
  return {
    id,
    directory,
    exitCode: () => (existsSync(exit) ? Number.parseInt(readFileSync(exit, 'utf8'), 10) : null),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
