import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

/** What a program can leave behind in a terminal, as tmux tells it. */
const MODES = [
  'alternate_on',
  'mouse_any_flag',
  'mouse_sgr_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'cursor_flag',
  'insert_flag',
  'origin_flag',
  'wrap_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'pane_width',
  'pane_height',
];
const LINES = { columns: 100, rows: 24 };

/**
 * A person's terminal: a pane of a real tmux with a plain shell in it. The shell sets no mode of
 * its own, so that nothing is put right by its prompt.
 */
export class PersonShell {
  readonly directory = mkdtempSync(join(tmpdir(), 'pilothouse-person-'));

  constructor(env: NodeJS.ProcessEnv, cwd: string) {
    const size = ['-x', String(LINES.columns), '-y', String(LINES.rows)];
    execFileSync(
      'tmux',
      ['-S', this.#socket, '-f', '/dev/null', 'new-session', '-d', ...size, '/bin/dash'],
      { env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', PS1: '$ ' }, cwd },
    );
  }

  get #socket(): string {
    return join(this.directory, 'tmux');
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', this.#socket, ...args], { encoding: 'utf8' });
  }

  type(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  run(line: string): void {
    this.#tmux('send-keys', '-l', line);
    this.type('Enter');
  }

  /** What is shown, with what went up out of sight. */
  read(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-');
  }

  /** Begins with an empty screen and nothing above it. */
  async clear(): Promise<void> {
    this.run('clear');
    await until('the screen to be clear', () => /^\S\s*$/.test(this.#tmux('capture-pane', '-p')));
    this.#tmux('clear-history');
  }

  see(words: RegExp): Promise<unknown> {
    return until(`the person to see ${words.source}`, () => words.test(this.read()), {
      withinMs: 60_000,
      tell: () => this.read().trimEnd(),
    });
  }

  /** The id of the process that `run(this.tracked(…))` became. */
  pid(): Promise<number> {
    return until('the process to have begun', () => {
      try {
        return Number(readFileSync(join(this.directory, 'pid'), 'utf8')) || null;
      } catch {
        return null;
      }
    });
  }

  /** The same command, whose process can be found, and whose exit code is shown. */
  tracked(command: string, name: string): string {
    const pid = join(this.directory, 'pid');
    return `rm -f ${pid}; sh -c 'echo $$ > ${pid}; exec ${command}'; echo "${name}=$?"`;
  }

  /** Every mode of the terminal and of its line, and whether a paste is marked in it. */
  async modes(): Promise<Record<string, string>> {
    const told = this.#tmux('display', '-p', MODES.map((name) => `#{${name}}`).join(' '));
    const found = Object.fromEntries(MODES.map((name, at) => [name, told.trim().split(' ')[at]]));
    const line = join(this.directory, 'line');
    const pasted = join(this.directory, 'pasted');
    this.run(`stty -a > ${line}; head -n 1 | cat -v > ${pasted}; echo "looked-$?"`);
    await until('the line to be looked at', () => this.#size(line) > 0);
    this.#tmux('set-buffer', 'pasted words\n');
    this.#tmux('paste-buffer', '-p');
    this.type('Enter');
    await this.see(/looked-0/);
    const [stty, words] = [line, pasted].map((file) => readFileSync(file, 'utf8'));
    rmSync(line);
    return { ...(found as Record<string, string>), stty: stty ?? '', pasted: words ?? '' };
  }

  #size(file: string): number {
    try {
      return readFileSync(file).byteLength;
    } catch {
      return 0;
    }
  }

  /** Closes the terminal as a person closes a window: what runs in it gets SIGHUP. */
  close(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It was closed before.
    }
  }

  stop(): void {
    this.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
