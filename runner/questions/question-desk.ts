import { GATE_ANSWER_MS } from '../../protocol/gate.ts';
import type { PaneQuestion, QuestionKept } from '../../protocol/pane-question.ts';
import { readRunningClaude } from '../agents/running-claude.ts';
import { messageOf } from '../failure.ts';
import { lookAround } from '../guard/look-in.ts';
import { createRedactor } from '../guard/redact.ts';
import type { Secret } from '../guard/secrets.ts';
import type { Log } from '../log.ts';
import type { Starter } from '../terminal-door.ts';
import { identifyProcess, isRunning, listProcesses } from '../process/process-table.ts';

import { decideEnd, decideReply, mayAsk, type Reply } from './decide-question.ts';
import { type HookLine, HookSocket } from './hook-socket.ts';
import { readHook } from './hook-question.ts';
import { hookWords } from './hook-command.ts';
import { keepSettings } from './kept-settings.ts';
import type { KeptQuestion, QuestionStore } from './question-store.ts';
import { makeToken, readToken } from './question-token.ts';
import type { HookedEngine, Hooking } from './start-agent.ts';

/** How often open questions are looked at, in ms; nobody looks while there are none. */
const LOOK_MS = 300;
/** How long hooks may take to come back to a runner that has just begun, in ms. */
const BACK_MS = 15_000;
/** How often an end that the cloud has not confirmed is sent again, in ms. */
const AGAIN_MS = 60_000;

export type DeskOptions = {
  store: QuestionStore;
  /** Where hooks connect. */
  socketPath: string;
  /** Where the settings are with which agents are begun. */
  agentsRoot: string;
  key: Buffer;
  secrets(): readonly Secret[];
  /** The terminal of the coding agent among these processes. */
  locate(pids: readonly number[]): Promise<Located | null>;
  /** Which agents may be given hooks here. */
  hooked(): readonly HookedEngine[];
  send(question: PaneQuestion): void;
  log: Log;
  now(): number;
};

export type Located = { target: string; pid: number };

/**
 * Takes what coding agents in terminals ask through their hooks, brings it to the cloud, and gives
 * the hook the one answer that stands. Every step is on record here first, so that a question
 * outlives this process; where none comes, the agent's own dialog stands in its terminal.
 */
export class QuestionDesk {
  readonly #options: DeskOptions;
  readonly #socket: HookSocket;
  readonly #begunAt: number;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #stopped = false;
  #sentAt = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#begunAt = options.now();
    this.#socket = new HookSocket(options.socketPath, {
      asked: (line) => this.#asked(line),
      taken: (id) => this.#change(id, (kept) => ({ ...kept, taken: true })),
      left: () => this.#arm(),
      failed: (error) => this.#failed(error),
    });
  }

  start(): void {
    this.#socket.listen();
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#socket.close();
  }

  /** What an agent that this call starts is given. */
  hookingFor({ drive, rules }: Starter): Hooking {
    const { key, socketPath, agentsRoot, hooked } = this.#options;
    const hook = hookWords(socketPath);
    const keep = (settings: string) => keepSettings(agentsRoot, settings);
    // A hook that nobody hears would only keep its agent waiting.
    const engines = this.#socket.listens ? hooked() : [];
    return { token: makeToken(key, drive), hook, keep, kept: agentsRoot, engines, rules };
  }

  /** Whether the agent with this pid waits for an answer now. */
  isAsking(pid: number): boolean {
    return this.#open().some(({ agent }) => agent.pid === pid);
  }

  /** Gives a question its answer, and says which stands. */
  answer(id: string, reply: Reply): 'allow' | 'deny' | 'over' {
    const { store, now } = this.#options;
    const kept = store.find(id);
    if (!kept) return 'over';
    const decided = decideReply(standingOf(kept), now());
    if (decided !== 'take') return decided;
    store.save({ ...kept, reply });
    this.#give(id, reply);
    return reply.allow ? 'allow' : 'deny';
  }

  /** What the cloud has of a question. */
  kept({ id, state, reason }: QuestionKept): void {
    if (state === 'ended') return this.#options.store.remove(id);
    if (state === 'allow' || state === 'deny')
      this.answer(id, { allow: state === 'allow', reason: reason ?? '' });
    // Nothing there will ever answer it.
    if (state === 'refused') {
      this.#socket.tell(id, { behavior: 'none', message: '' });
      this.#options.store.remove(id);
    }
  }

  /** Sends every question that the cloud has not confirmed the end of: a new connection. */
  sendAll(): void {
    this.#sentAt = this.#options.now();
    for (const { question } of this.#options.store.list()) this.#options.send(question);
  }

  #open(): KeptQuestion[] {
    return this.#options.store.list().filter(({ question }) => question.end === null);
  }

  async #asked({ token, id, engine, pid, hook }: HookLine): Promise<boolean> {
    const { store, key, locate, secrets, send, now } = this.#options;
    const known = store.find(id);
    if (known) {
      if (known.question.end !== null) return false;
      if (known.reply) this.#give(id, known.reply);
      return true;
    }
    const drive = readToken(key, token);
    if (!drive) return false;
    const above = ancestorsOf(pid);
    const located = await locate(above);
    const asked = readHook(engine, hook, createRedactor(secrets()), lookAround);
    const agentPid = located?.pid ?? above[1];
    if (!asked || agentPid === undefined) return false;
    // Its agent's own dialog stands, and nobody is rung.
    const open = this.#open().map(({ question }) => question.drive);
    if (!mayAsk(open, drive)) return false;
    const at = now();
    const times = { at, expiresAt: at + GATE_ANSWER_MS, end: null };
    const question = { id, drive, target: located?.target ?? null, ...times, ...asked };
    const [its, agent] = [identifyProcess(pid), identifyProcess(agentPid)];
    store.save({ question, hook: its, agent, waited: false, reply: null, taken: false });
    this.#sentAt = Math.max(this.#sentAt, at);
    send(question);
    this.#arm();
    return true;
  }

  #give(id: string, { allow, reason }: Reply): void {
    this.#socket.tell(id, { behavior: allow ? 'allow' : 'deny', message: reason });
  }

  #change(id: string, change: (kept: KeptQuestion) => KeptQuestion): void {
    const kept = this.#options.store.find(id);
    if (kept) this.#options.store.save(change(kept));
    this.#arm();
  }

  #arm(): void {
    if (this.#timer || this.#looking || this.#stopped) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#timer = null;
    this.#looking = true;
    const { store, now } = this.#options;
    let more = true;
    try {
      for (const kept of this.#open()) if (!this.#stopped) await this.#lookAt(kept);
      if (this.#stopped) return;
      if (now() - this.#sentAt > AGAIN_MS) this.sendAll();
      more = !store.isEmpty();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#looking = false;
    }
    if (more) this.#arm();
  }

  async #lookAt({ question: { id }, agent, hook }: KeptQuestion): Promise<void> {
    const { store, send, now } = this.#options;
    const status = (await readRunningClaude(agent.pid))?.status ?? null;
    if (this.#stopped) return;
    // It may have been answered while that was read.
    const kept = store.find(id);
    if (!kept || kept.question.end !== null) return;
    const waited = kept.waited || status === 'waiting';
    const seen = {
      connected: this.#socket.has(id),
      reachable: this.#socket.has(id) || now() - this.#begunAt < BACK_MS,
      hookRuns: isRunning(hook),
      agentRuns: isRunning(agent),
      waitsNoMore: kept.waited && status !== null && status !== 'waiting',
    };
    const end = decideEnd(standingOf(kept), seen, now());
    if (end === null && waited === kept.waited) return;
    const question = { ...kept.question, end };
    store.save({ ...kept, waited, question });
    if (end === null) return;
    this.#socket.tell(id, { behavior: 'none', message: '' });
    send(question);
  }

  #failed(error: unknown): void {
    const reason = messageOf(error);
    this.#options.log('warning', 'what agents in terminals ask could not be looked at', { reason });
  }
}

const standingOf = ({ question: { expiresAt, end }, reply, taken }: KeptQuestion) => ({
  expiresAt,
  reply,
  taken,
  end,
});

/** A process and those above it, nearest first. */
function ancestorsOf(pid: number): number[] {
  const parents = new Map(listProcesses().map((row) => [row.pid, row.parent]));
  const above: number[] = [];
  for (let at = pid; at > 1 && !above.includes(at); at = parents.get(at) ?? 0) above.push(at);
  return above;
}
