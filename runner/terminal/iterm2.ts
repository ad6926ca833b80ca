import { execFile, execFileSync } from 'node:child_process';
import { PilothouseError } from '../../protocol/errors.ts';
import { fitSize } from '../../protocol/takeover.ts';
import {
  TERMINAL_TEXT_MAX,
  type PaneState,
  type TerminalCapabilities,
  type TerminalPane,
  type TerminalParams,
  type TerminalRan,
  type TerminalSent,
  type TerminalText,
} from '../../protocol/terminal.ts';
import type { Connector, Watched } from './connector.ts';
import { PolledPane } from './live/polled-pane.ts';
import { decideSend, decideText, type Writing } from './decide-send.ts';
import {
  errorOf,
  ITERM2_SCRIPT,
  parseSessions,
  type ITermSession,
  type ITermVerb,
} from './iterm2/script.ts';
import { bytesOfKey, describeBytes } from './keys.ts';
import { capText, searchLines, trimScreen } from './look/text.ts';

const CALL_MS = 15_000;

export type ITerm2Options = {
  env: Readonly<Record<string, string>>;
  /** What is in front on a terminal device, by the system's list of processes. */
  stateOf?(tty: string): PaneState;
};

/**
 * iTerm2, by AppleScript. Written after its documentation and held to a recorded `osascript`; it
 * was never run on a Mac, and says so.
 */
export class ITerm2 implements Connector {
  readonly backend = 'iterm2';
  readonly drivable = false;
  readonly #options: ITerm2Options;

  constructor(options: ITerm2Options) {
    this.#options = options;
  }

  async capabilities(): Promise<TerminalCapabilities> {
    const version = await this.#tell('version').catch((error: unknown) => error);
    const available = typeof version === 'string';
    const note = 'It is not verified on a Mac.';
    return {
      backend: this.backend,
      available,
      version: available ? version.trim() : null,
      tools: available
        ? [
            'terminal_list',
            'terminal_capture',
            'terminal_send_text',
            'terminal_send_keys',
            'terminal_close',
          ]
        : [],
      shell: false,
      live: false,
      note: available || !(version instanceof Error) ? note : `${version.message} ${note}`,
    };
  }

  async list(): Promise<TerminalPane[]> {
    return parseSessions(await this.#tell('list')).map((each) => this.#describe(each));
  }

  async find(target: string): Promise<TerminalPane> {
    const found = (await this.list()).find((pane) => pane.target === target);
    if (!found) throw new PilothouseError('terminal_gone');
    return found;
  }

  async capture({
    target,
    history,
    search,
  }: TerminalParams<'terminal_capture'>): Promise<TerminalText> {
    const { size } = await this.find(target);
    const lines = trimScreen(await this.#tell('read', idOf(target))).split('\n');
    const kept = lines.slice(-(size.rows + history)).join('\n');
    return capText(search === null ? kept : searchLines(kept, search));
  }

  run(_params: TerminalParams<'terminal_run_command'>): Promise<TerminalRan> {
    return Promise.reject(
      new PilothouseError('terminal_unsupported', {
        detail: 'no exit code comes back from iTerm2',
      }),
    );
  }

  async sendText({
    target,
    text,
    enter,
  }: TerminalParams<'terminal_send_text'>): Promise<TerminalSent> {
    const wrong = decideText(text, TERMINAL_TEXT_MAX);
    if (wrong) throw new PilothouseError(wrong);
    // A paste is not marked here, so that every newline would be an Enter.
    if (text.includes('\n')) throw new PilothouseError('terminal_multiline');
    return this.#write(
      target,
      { kind: 'text', text, enter, pasted: false },
      enter ? `${text}\r` : text,
    );
  }

  async sendKeys({ target, keys }: TerminalParams<'terminal_send_keys'>): Promise<TerminalSent> {
    return this.#write(target, { kind: 'keys', keys }, keys.map((key) => bytesOfKey(key)).join(''));
  }

  async watch(target: string): Promise<Watched> {
    return new PolledPane(this, await this.find(target));
  }

  async close(target: string): Promise<void> {
    await this.#tell('close', idOf(target));
  }

  stop(): void {
    // Each call is a process of its own.
  }

  async #write(target: string, writing: Writing, text: string): Promise<TerminalSent> {
    const { state, agent } = await this.find(target);
    // iTerm2 does not tell where its cursor is: at a shell, no line is known to be empty.
    const refused = decideSend(
      { state, agent, sharedInput: false, dialog: 'maybe', line: null },
      writing,
    );
    if (refused) throw new PilothouseError(refused);
    await this.#tell('write', idOf(target), text);
    return { receipt: 'not_confirmed', ...describeBytes(Buffer.from(text)) };
  }

  #describe({ id, tty, columns, rows, name }: ITermSession): TerminalPane {
    return {
      target: `iterm2:${id}`,
      backend: 'iterm2',
      session: null,
      title: name,
      program: '',
      directory: '',
      size: fitSize({ columns, rows }),
      state: (this.#options.stateOf ?? stateOfTty)(tty),
      agent: null,
      ours: false,
    };
  }

  #tell(verb: ITermVerb, ...words: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        'osascript',
        ['-', verb, ...words],
        { env: this.#options.env, timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
        (error, output, problem) => {
          if (error === null && !child.killed) return resolve(output);
          const missing = error?.code === 'ENOENT';
          return reject(
            missing
              ? new PilothouseError('terminal_unavailable', {
                  detail: 'iTerm2 runs on macOS alone',
                })
              : errorOf(problem || (error?.message ?? 'no answer in time')),
          );
        },
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(ITERM2_SCRIPT);
    });
  }
}

const idOf = (target: string): string => target.slice('iterm2:'.length);

/** Which kind of program is in front, by the process group that holds the terminal. */
function stateOfTty(tty: string): PaneState {
  try {
    const words = ['-t', tty.replace(/^\/dev\//, ''), '-o', 'stat=,comm='];
    const front = execFileSync('ps', words, { encoding: 'utf8', timeout: 2_000, stdio: 'pipe' })
      .split('\n')
      .filter((line) => /^\S*\+/.test(line.trim()));
    if (front.length === 0) return 'unknown';
    return front.every((line) => /(^|\/|-)(bash|zsh|fish|dash|sh|login)$/.test(line.trim()))
      ? 'shell'
      : 'program';
  } catch {
    return 'unknown';
  }
}
