import { PilothouseError } from '../../protocol/errors.ts';
import {
  TERMINAL_TEXT_MAX,
  type TerminalCapabilities,
  type TerminalPane,
  type TerminalParams,
  type TerminalRan,
  type TerminalSent,
  type TerminalText,
} from '../../protocol/terminal.ts';
import { listProcesses, readProcess } from '../process/process-table.ts';
import type { Connector, Watched } from './connector.ts';
import { PolledPane } from './live/polled-pane.ts';
import { decideSend, decideText, type Writing } from './decide-send.ts';
import { bytesOfKey, describeBytes } from './keys.ts';
import { askKitty, socketProblem, tellKitty } from './kitty/remote.ts';
import {
  describeWindow,
  parseCursorLine,
  parseWindows,
  type KittyWindow,
} from './kitty/windows.ts';
import { type CursorLine, decideLine } from './look/prompt-line.ts';
import { capText, searchLines, trimScreen } from './look/text.ts';
import { prepareRun } from './run/directory.ts';
import { WINDOW_SCRIPT } from './run/scripts.ts';

export type KittyOptions = {
  root: string;
  shell: string;
  /** Where kitty listens, of the limits or the runner's environment; null is nowhere known. */
  socket(): string | null;
  /** Whether the agent with this pid waits for an answer, by its own hook. */
  isAsking(pid: number): boolean;
};

/** How often it is looked whether a command has ended, in ms. */
const LOOK_MS = 100;
/** How long a shell gets to show what it took, in ms. */
const ECHO_MS = 1_000;

/** kitty over its own socket: `kitty @` as a program would take most of a second for each call. */
export class Kitty implements Connector {
  readonly backend = 'kitty';
  readonly drivable = false;
  readonly #options: KittyOptions;

  constructor(options: KittyOptions) {
    this.#options = options;
  }

  async capabilities(): Promise<TerminalCapabilities> {
    const socket = this.#options.socket();
    const problem = socketProblem(socket);
    const note = problem ?? (await this.#list(socket ?? '').then(() => null, String));
    return {
      backend: this.backend,
      available: note === null,
      version: null,
      tools:
        note === null
          ? [
              'terminal_list',
              'terminal_capture',
              'terminal_run_command',
              'terminal_send_text',
              'terminal_send_keys',
              'terminal_close',
            ]
          : [],
      shell: false,
      live: false,
      note,
    };
  }

  async list(): Promise<TerminalPane[]> {
    const windows = await this.#list(this.#socket());
    const instance = instanceOf(windows);
    const table = listProcesses();
    return instance === null ? [] : windows.map((each) => describeWindow(instance, each, table));
  }

  async find(target: string): Promise<TerminalPane> {
    const { instance, window } = await this.#window(target);
    return describeWindow(instance, window, listProcesses());
  }

  async capture({
    target,
    history,
    search,
  }: TerminalParams<'terminal_capture'>): Promise<TerminalText> {
    const { socket, window } = await this.#window(target);
    const text = await this.#text(socket, window.id, history > 0 ? 'all' : 'screen');
    const lines = trimScreen(text).split('\n');
    const kept = history > 0 ? lines.slice(-(history + window.lines)).join('\n') : lines.join('\n');
    return capText(search === null ? kept : searchLines(kept, search));
  }

  async run(params: TerminalParams<'terminal_run_command'>): Promise<TerminalRan> {
    if (params.where === 'shell')
      throw new PilothouseError('terminal_unsupported', {
        detail: 'kitty runs commands in windows of their own',
      });
    const { socket, instance, window } = await this.#window(params.target);
    const { root, shell } = this.#options;
    const files = prepareRun(root, params.command);
    const args = ['/bin/sh', '-c', WINDOW_SCRIPT, 'sh', files.directory, files.id, shell];
    const made = await askKitty(socket, 'launch', {
      args,
      type: 'window',
      keep_focus: true,
      cwd: window.cwd || root,
      match: `id:${window.id}`,
    });
    const id = Number(made);
    if (!Number.isInteger(id))
      throw new PilothouseError('terminal_failed', { detail: 'kitty: no window' });
    const end = Date.now() + params.timeoutMs;
    let there = true;
    while (files.exitCode() === null && there && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      there = (await this.#list(socket)).some((each) => each.id === id);
    }
    const exitCode = files.exitCode();
    // kitty still reads what was written last.
    if (exitCode !== null) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const shown = there ? trimScreen(await this.#text(socket, id, 'all')) : '';
    const status = exitCode !== null ? 'ended' : there ? 'running' : 'interrupted';
    if (status === 'ended') await askKitty(socket, 'close-window', { match: `id:${id}` });
    if (status !== 'running') files.remove();
    const receipt = exitCode === null ? 'queued' : 'delivered';
    return { status, exitCode, receipt, ...capText(shown), target: `kitty:${instance}:${id}` };
  }

  async sendText(params: TerminalParams<'terminal_send_text'>): Promise<TerminalSent> {
    const { target, text, enter } = params;
    const wrong = decideText(text, TERMINAL_TEXT_MAX);
    if (wrong) throw new PilothouseError(wrong);
    // This kitty cannot be asked to mark a paste, so that every newline would be an Enter.
    if (text.includes('\n')) throw new PilothouseError('terminal_multiline');
    const { socket, window, line } = await this.#look(target, {
      kind: 'text',
      text,
      enter,
      pasted: false,
    });
    const bytes = Buffer.from(text);
    await this.#send(socket, window.id, bytes);
    const held = line && (await this.#holds(socket, window.id, line.before + text));
    if (line && !held) return { receipt: 'not_confirmed', ...describeBytes(bytes) };
    if (!enter) return { receipt: held ? 'delivered' : 'not_confirmed', ...describeBytes(bytes) };
    await this.#send(socket, window.id, Buffer.from('\r'));
    const whole = Buffer.concat([bytes, Buffer.from('\r')]);
    return { receipt: held ? 'delivered' : 'not_confirmed', ...describeBytes(whole) };
  }

  async sendKeys({ target, keys }: TerminalParams<'terminal_send_keys'>): Promise<TerminalSent> {
    const { socket, window } = await this.#look(target, { kind: 'keys', keys });
    const bytes = Buffer.from(keys.map((key) => bytesOfKey(key)).join(''));
    await this.#send(socket, window.id, bytes);
    // kitty never answers this; what became of it is not known.
    return { receipt: 'not_confirmed', ...describeBytes(bytes) };
  }

  async watch(target: string): Promise<Watched> {
    return new PolledPane(this, await this.find(target));
  }

  async close(target: string): Promise<void> {
    const { socket, window } = await this.#window(target);
    await askKitty(socket, 'close-window', { match: `id:${window.id}` });
  }

  stop(): void {
    // Each call has a connection of its own.
  }

  async #look(target: string, writing: Writing) {
    const { socket, instance, window } = await this.#window(target);
    const { state, agent } = describeWindow(instance, window, listProcesses());
    const line = state === 'shell' ? await this.#line(socket, window.id) : null;
    const verdict = line && decideLine(line, null);
    const asks = agent !== null && this.#options.isAsking(agent.pid);
    const dialog = asks ? 'open' : 'maybe';
    const refused = decideSend(
      { state, agent, sharedInput: false, dialog, line: verdict },
      writing,
    );
    if (refused) throw new PilothouseError(refused);
    return { socket, window, line };
  }

  #send(socket: string, id: number, bytes: Buffer): Promise<void> {
    const data = `base64:${bytes.toString('base64')}`;
    return tellKitty(socket, 'send-text', { match: `id:${id}`, data });
  }

  /** Whether a line comes to hold exactly this, before a second is over. */
  async #holds(socket: string, id: number, expected: string): Promise<boolean> {
    for (const end = Date.now() + ECHO_MS; Date.now() < end;) {
      if ((await this.#line(socket, id))?.before === expected) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  async #line(socket: string, id: number): Promise<CursorLine | null> {
    const match = { match: `id:${id}`, extent: 'screen', cursor: true };
    return parseCursorLine(String(await askKitty(socket, 'get-text', match)));
  }

  async #text(socket: string, id: number, extent: 'screen' | 'all'): Promise<string> {
    return String(await askKitty(socket, 'get-text', { match: `id:${id}`, extent }));
  }

  async #list(socket: string): Promise<KittyWindow[]> {
    return parseWindows(await askKitty(socket, 'ls', {}));
  }

  #socket(): string {
    const socket = this.#options.socket();
    const problem = socketProblem(socket);
    if (problem || socket === null)
      throw new PilothouseError('terminal_unavailable', { detail: problem ?? '' });
    return socket;
  }

  async #window(target: string) {
    const socket = this.#socket();
    const windows = await this.#list(socket);
    const instance = instanceOf(windows);
    const [, of, id] = /^kitty:(\d+):(\d+)$/.exec(target) ?? [];
    const window = windows.find((each) => each.id === Number(id));
    if (!window || instance === null || Number(of) !== instance)
      throw new PilothouseError('terminal_gone');
    return { socket, instance, window };
  }
}

/** The kitty that holds the windows: whoever began their first programs. */
function instanceOf(windows: readonly KittyWindow[]): number | null {
  const pids = windows.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  return pids.map((pid) => readProcess(pid)?.parent ?? null).find((pid) => pid !== null) ?? null;
}
