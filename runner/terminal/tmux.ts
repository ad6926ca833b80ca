import { PilothouseError } from '../../protocol/errors.ts';
import type { TerminalPane, TerminalParams, TerminalSession } from '../../protocol/terminal.ts';
import { TERMINAL_TEXT_MAX, TERMINAL_TOOLS } from '../../protocol/terminal.ts';
import { listProcesses } from '../process/process-table.ts';
import type { AgentStart, SessionConnector, Watched } from './connector.ts';
import { decideSend, decideText, type Writing } from './decide-send.ts';
import { bytesOfKey, describeBytes } from './keys.ts';
import { LivePane } from './live/live-pane.ts';
import type { CursorLine } from './look/prompt-line.ts';
import { openSecretPipe } from './run/secret-pipe.ts';
import { ControlClients } from './tmux/clients.ts';
import { createSession, killSession } from './tmux/create.ts';
import { type Closer, describePane, lookAtPane } from './tmux/look.ts';
import { listPanes, type PaneFacts } from './tmux/panes.ts';
import { runInShell, runInWindow } from './tmux/run.ts';
import { capturePane } from './tmux/screen.ts';
import type { TmuxServer } from './tmux/server.ts';
import { parseTarget, pickPane, targetOf } from './tmux/target.ts';
import { readTmuxVersion } from './tmux/version.ts';
import { type Pane, typeText, writeBytes } from './tmux/write.ts';

export type TmuxOptions = {
  /** The runner's own server first. */
  servers: readonly TmuxServer[];
  /** Says which sessions this runner made. */
  marker: string;
  /** A directory of the runner's, for commands on their way. */
  root: string;
  /** The runner's environment, of which a session may be given single variables. */
  env: NodeJS.ProcessEnv;
  /** The program that reads a command in a window of its own. */
  shell: string;
  /** Whether a coding agent has asked for leave through its hooks and waits for the answer. */
  isAsking(pid: number): boolean;
};

/** How long an unclear line may take to become clear, and how often it is looked at, in ms. */
const SETTLE_MS = 400;
const SETTLE_EVERY_MS = 40;

type Place = { server: TmuxServer; clients: ControlClients };

/** tmux as a kind of terminal: sessions of the runner's own, and the person's where they say so. */
export class Tmux implements SessionConnector {
  readonly backend = 'tmux';
  readonly drivable = true;
  readonly #options: TmuxOptions;
  readonly #places: readonly Place[];
  /** Per pane, its line as our own words left it. */
  readonly #pending = new Map<string, CursorLine>();

  constructor(options: TmuxOptions) {
    this.#options = options;
    this.#places = options.servers.map((server) => ({
      server,
      clients: new ControlClients(server),
    }));
  }

  async capabilities() {
    const { version, problem } = await readTmuxVersion(this.#options.servers);
    return {
      backend: this.backend,
      available: problem === null,
      version,
      tools: problem === null ? [...TERMINAL_TOOLS] : [],
      shell: true,
      live: true,
      note: problem,
    } as const;
  }

  async list(everywhere: boolean): Promise<TerminalPane[]> {
    return (await this.listSessions(everywhere)).flatMap(({ panes }) => panes);
  }

  async listSessions(everywhere: boolean): Promise<TerminalSession[]> {
    const table = listProcesses();
    const places = this.#places.filter(({ server }) => everywhere || server.name === 'own');
    const lists = await Promise.all(
      places.map(async ({ server }) =>
        sessionsOf(server.name, await listPanes(server), this.#options.marker, table),
      ),
    );
    return lists.flat();
  }

  async find(target: string): Promise<TerminalPane> {
    const { server, facts } = await this.#pane(target);
    return describePane(server.name, facts, this.#options.marker, listProcesses());
  }

  async capture(params: TerminalParams<'terminal_capture'>) {
    const { server, facts } = await this.#pane(params.target);
    return capturePane(server, facts, params);
  }

  async run(params: TerminalParams<'terminal_run_command'>) {
    const pane = await this.#pane(params.target);
    if (params.where === 'window') return runInWindow(pane, params, this.#options);
    const { look, facts } = await this.#look(pane, { kind: 'command' });
    return runInShell({ ...pane, facts }, look, params, this.#options);
  }

  async sendText({ target, text, enter }: TerminalParams<'terminal_send_text'>) {
    const wrong = decideText(text, TERMINAL_TEXT_MAX);
    if (wrong) throw new PilothouseError(wrong);
    const pane = await this.#pane(target);
    const { look, facts } = await this.#look(pane, { kind: 'text', text, enter, pasted: true });
    const key = keyOf(facts);
    this.#pending.delete(key);
    const { pending, ...sent } = await typeText({ ...pane, facts }, look, text, enter);
    if (pending) this.#pending.set(key, pending);
    return sent;
  }

  async sendKeys({ target, keys }: TerminalParams<'terminal_send_keys'>) {
    const pane = await this.#pane(target);
    await this.#look(pane, { kind: 'keys', keys });
    this.#pending.delete(keyOf(pane.facts));
    const { applicationKeys } = pane.facts;
    const bytes = Buffer.from(keys.map((key) => bytesOfKey(key, applicationKeys)).join(''));
    await writeBytes(pane, bytes);
    // What a program makes of a key cannot be told from outside.
    return { receipt: 'queued', ...describeBytes(bytes) } as const;
  }

  async close(target: string): Promise<void> {
    const { server, facts } = await this.#pane(target);
    await server.demand(['kill-pane', '-t', facts.pane]);
  }

  async watch(target: string): Promise<Watched> {
    return LivePane.open(await this.#pane(target));
  }

  async create(
    asked: TerminalParams<'tmux_create_session'>,
    start: AgentStart | null = null,
  ): Promise<TerminalSession> {
    const place = this.#places.find(({ server }) => server.name === 'own');
    if (!place) throw new PilothouseError('terminal_unavailable');
    const { marker, root, shell } = this.#options;
    const program = asked.argv && start?.program(asked.argv);
    const params = program ? { ...asked, argv: program } : asked;
    const more = program ? start?.variables : {};
    const secrets = await openSecrets(root, params.variables, this.#options.env, more);
    const id = await createSession(place.server, params, { marker, root, shell }, secrets).catch(
      (error: unknown) => {
        secrets?.drop();
        throw error;
      },
    );
    if (secrets && !(await secrets.given)) throw new PilothouseError('terminal_failed');
    const panes = (await listPanes(place.server)).filter(({ sessionId }) => sessionId === id);
    const [made] = sessionsOf('own', panes, marker, listProcesses());
    if (!made) throw new PilothouseError('terminal_gone');
    return made;
  }

  /**
   * When a person last typed in front of a pane, Unix ms; null: nobody is there. tmux tells it of each
   * client in whole seconds (`client_activity`, tmux(1)); clients of ours are in control mode.
   */
  async typedAt(target: string): Promise<number | null> {
    const { server, facts } = await this.#pane(target);
    const format = '#{client_control_mode} #{pane_id} #{client_activity}';
    const listed = (await server.demand(['list-clients', '-F', format])).toString();
    const times = listed.split('\n').flatMap((line) => {
      const [control, pane, seconds] = line.split(' ');
      return control === '0' && pane === facts.pane ? [Number(seconds) * 1_000] : [];
    });
    return times.length > 0 ? Math.max(...times) : null;
  }

  async kill(target: string): Promise<void> {
    const { server, facts } = await this.#pane(target);
    await killSession(server, facts);
  }

  stop(): void {
    for (const { clients } of this.#places) clients.stop();
  }

  async #pane(target: string): Promise<Pane> {
    const parsed = parseTarget(target);
    const place = this.#places.find(({ server }) => server.name === parsed.server);
    if (!place) throw new PilothouseError('terminal_not_allowed');
    return { ...place, facts: pickPane(await listPanes(place.server), parsed) };
  }

  /**
   * Looks at what would be written to, and throws what is in the way. A shell between a command
   * and its next prompt gets a moment to draw it.
   */
  async #look(
    { server, facts }: Pane,
    writing: Writing,
  ): Promise<{ look: Closer; facts: PaneFacts }> {
    const target = parseTarget(targetOf(server.name, facts.server, facts.pane));
    const end = Date.now() + SETTLE_MS;
    for (let now = facts; ; now = pickPane(await listPanes(server), target)) {
      const seen = await lookAtPane(server, now, this.#pending.get(keyOf(now)) ?? null);
      const asks = seen.agent !== null && this.#options.isAsking(seen.agent.pid);
      const look = asks ? { ...seen, dialog: 'open' as const } : seen;
      const refused = decideSend(look, writing);
      if (!refused) return { look, facts: now };
      const settles = refused === 'terminal_unclear' || refused === 'terminal_busy';
      if (!settles || Date.now() > end) throw new PilothouseError(refused);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_EVERY_MS));
    }
  }
}

const keyOf = ({ server, pane }: PaneFacts): string => `${server} ${pane}`;

/** Throws where one of them is not set: a session would begin without what it was promised. */
async function openSecrets(
  root: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
  more: Readonly<Record<string, string>> = {},
) {
  if (names.length === 0 && Object.keys(more).length === 0) return null;
  const values = names.map((name) => [name, env[name]] as const);
  const missing = values.find(([, value]) => value === undefined);
  if (missing)
    throw new PilothouseError('terminal_unavailable', {
      detail: `${missing[0]} is not set in the runner’s environment`,
    });
  const given = Object.fromEntries(values) as Record<string, string>;
  return openSecretPipe(root, { ...given, ...more });
}

function sessionsOf(
  server: TmuxServer['name'],
  panes: readonly PaneFacts[],
  marker: string,
  table: ReturnType<typeof listProcesses>,
): TerminalSession[] {
  const byId = Map.groupBy(panes, ({ sessionId }) => sessionId);
  return [...byId.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    return [
      {
        target: targetOf(server, first.server, first.sessionId),
        server,
        name: first.session,
        attached: first.attached,
        createdAt: first.createdAtMs,
        ours: first.marker === marker,
        panes: own.map((facts) => describePane(server, facts, marker, table)),
      },
    ];
  });
}
