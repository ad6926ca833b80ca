import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  TerminalCall,
  TerminalSession,
  TerminalTool,
  TerminalValue,
} from '../../protocol/terminal.ts';
import type { TerminalLimits } from '../../runner/limits/terminal.ts';
import { executeTerminalCall } from '../../runner/terminal/execute.ts';
import { openTerminals, type Terminals } from '../../runner/terminal/registry.ts';
import { endProcessesOf } from './processes.ts';
import { until } from './until.ts';

/** Everything that limits can open. */
export const OPEN: TerminalLimits = {
  backends: ['tmux', 'kitty', 'iterm2'],
  defaultServer: true,
  prefixes: null,
  variables: [],
  kittySocket: null,
  watch: true,
  drive: true,
  keepMs: 60_000,
};

export type Asked<T extends TerminalTool> = T extends TerminalTool
  ? Partial<Extract<TerminalCall, { tool: T }>['params']>
  : never;

/** A person's machine with real tmux, on sockets in a directory of its own. */
export class TerminalHouse {
  readonly directory = mkdtempSync(join(tmpdir(), 'pilothouse-terminal-'));
  readonly root = join(this.directory, 'own');
  readonly env: NodeJS.ProcessEnv;
  readonly terminals: Terminals;
  limits: TerminalLimits = OPEN;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const home = join(this.directory, 'home');
    mkdirSync(home);
    writeFileSync(join(home, '.zshrc'), "PS1='%# '\nunsetopt prompt_sp\n");
    mkdirSync(join(home, '.config', 'fish'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'fish', 'config.fish'),
      "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\n",
    );
    this.env = {
      HOME: home,
      PATH: process.env['PATH'],
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      TMUX_TMPDIR: this.directory,
      ...env,
    };
    this.terminals = openTerminals(this.root, this.env, () => this.limits);
  }

  /** Any call, answered or refused. */
  call(call: unknown) {
    return executeTerminalCall(call, this.limits, this.terminals);
  }

  /** A call that must be carried out. */
  async do<T extends TerminalTool>(tool: T, params: Asked<T>): Promise<TerminalValue[T]> {
    const answer = await this.call({ tool, params });
    if (!answer.ok) throw new Error(`${tool}: ${answer.code}: ${answer.message}`);
    return answer.value as TerminalValue[T];
  }

  /** The code with which a call must be refused. */
  async refusal<T extends TerminalTool>(tool: T, params: Asked<T>): Promise<string> {
    const answer = await this.call({ tool, params });
    return answer.ok ? `carried out: ${JSON.stringify(answer.value)}` : answer.code;
  }

  /** A session of ours, and the id of its one pane. */
  async session(
    name: string,
    argv: string[] | null = null,
  ): Promise<{ pane: string } & TerminalSession> {
    const session = await this.do('tmux_create_session', {
      name,
      argv,
      directory: this.directory,
    });
    return { ...session, pane: session.panes[0]?.target ?? '' };
  }

  /** A session in which a shell stands at its prompt. */
  async shell(name: string, argv: string[] = BASH): Promise<{ pane: string } & TerminalSession> {
    const session = await this.session(name, argv);
    await this.shows(session.pane, (text) => /[$#%] ?$/.test(text), 'a prompt');
    return session;
  }

  async screen(target: string, history = 0): Promise<string> {
    return (await this.do('terminal_capture', { target, history })).text;
  }

  /** Waits until a pane shows something. */
  async shows(target: string, what: RegExp | ((text: string) => boolean), name = String(what)) {
    let seen = '';
    const is = (text: string) => (what instanceof RegExp ? what.test(text) : what(text));
    return until(name, async () => is((seen = await this.screen(target))) && { seen }, {
      tell: () => `It shows: ${seen}`,
    });
  }

  /** Waits until the program of a pane is over; tmux may write nothing there for a very short one. */
  ends(target: string): Promise<unknown> {
    return until('the end of its program', async () => {
      const { panes } = await this.do('terminal_list', {});
      return panes.find((pane) => pane.target === target)?.state === 'ended';
    });
  }

  /** tmux beside the product, as the person calls it. */
  tmux(server: 'own' | 'default', ...words: string[]): string {
    const socket = server === 'own' ? ['-S', join(this.root, 'tmux.sock')] : [];
    const env = { ...this.env };
    return execFileSync('tmux', [...socket, ...words], { env, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Types as the person does, past every check. */
  type(target: string, ...keys: string[]): void {
    const [, server, , pane] = target.split(':');
    this.tmux(server === 'own' ? 'own' : 'default', 'send-keys', '-t', pane ?? '', ...keys);
  }

  close(): void {
    this.terminals.tmux.stop();
    for (const other of this.terminals.others) other.stop();
    endProcessesOf(this.directory);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export const BASH = ['bash', '--norc', '-i'];
/** How each shell is begun here, so that its prompt is known. */
export const SHELL_ARGV = {
  bash: BASH,
  zsh: ['zsh', '-i'],
  fish: ['fish', '-i'],
  dash: ['dash', '-i'],
} as const;
