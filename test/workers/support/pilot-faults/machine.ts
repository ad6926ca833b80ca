import type { Command, CommandResult } from '../../../../protocol/command.ts';
import type { EngineEvent } from '../../../../protocol/engine-event.ts';
import {
  type CommandId,
  launchId,
  type RequestId,
  requestId,
  type SessionId,
  type TurnId,
} from '../../../../protocol/ids.ts';
import type { TurnGrant } from '../../../../protocol/shared-budget.ts';
import type { UsageEntry } from '../../../../protocol/usage.ts';
import type { Chance } from './chance.ts';
import { answerQuestion } from './machine-brain.ts';

type Job = { turnId: TurnId; text: string; grant: TurnGrant | undefined };
type Running = Job & { request: RequestId | null };

/** What a machine did and what it charged: all that an oracle is told of it. */
export type Witness = {
  /** Each beginning of work by the engine, with the words that it was given. */
  begun: { turnId: TurnId; text: string }[];
  /** Micro-USD of each piece of work, and by how much it passed what it was granted. */
  charged: { source: 'engine' | 'brain'; microUsd: number; beyond: number }[];
  /** What it was told to answer to each request of the engine, as often as it was told. */
  answered: { requestId: RequestId; decision: string }[];
  /** Whether the work stood at its goal when a check was last run. */
  passing: boolean;
  /** How much work had begun each time that the conversation was to be begun anew. */
  anew: number[];
};

/** What one turn may cost and by how much it passes its grant at most, micro-USD. */
const COST = [200, 900] as const;
export const BEYOND_MAX = 150;

/**
 * A machine and its engine, as far as the protocol binds them: a command of one id is carried out
 * once and answered again from what is known of it, a check and a question to the engine likewise
 * by their own ids. It never compares turns: two commands with one turn are two pieces of work.
 */
export class FakeMachine {
  readonly #chance: Chance;
  readonly #nowMs: () => number;
  readonly #answer: (id: CommandId, result: CommandResult) => void;
  readonly #known = new Map<CommandId, CommandResult>();
  readonly #checks = new Map<string, CommandResult>();
  readonly #questions = new Map<number, CommandResult>();
  readonly outbox: { sessionId: SessionId | null; events: EngineEvent[] } = {
    sessionId: null,
    events: [],
  };
  readonly witness: Witness = { begun: [], charged: [], answered: [], passing: false, anew: [] };
  readonly #goal: number;
  #progress = 0;
  #made = 0;
  #waiting: Job[] = [];
  #running: Running | null = null;
  #live = false;
  /** The launch that has the session: what an earlier one still asks for is refused. */
  #epoch = 0;
  calm = false;

  constructor(
    chance: Chance,
    nowMs: () => number,
    answer: (id: CommandId, result: CommandResult) => void,
    /** Turns that its work takes beyond a few: a conversation of three alone is a long one. */
    more: number,
  ) {
    this.#chance = chance;
    this.#nowMs = nowMs;
    this.#answer = answer;
    this.#goal = chance.between('goal', 1, 4) + more;
  }

  /** A request of the engine that nobody has answered; null when there is none. */
  get request(): RequestId | null {
    return this.#running?.request ?? null;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && (this.#running === null || this.request !== null);
  }

  take(command: Command): void {
    const known = this.#known.get(command.id);
    const result = known ?? this.#carryOut(command);
    this.#known.set(command.id, result);
    this.#answer(command.id, result);
  }

  /** The engine goes on with its work. Says whether it did anything. */
  tick(): boolean {
    if (!this.#live) return false;
    if (this.#running) return this.request === null && (this.#work(this.#running), true);
    const job = this.#waiting.shift();
    if (job) this.#begin(job);
    return job !== undefined;
  }

  /** Its process is killed: what the engine had in hand is not known any more. */
  crash(): void {
    const job = this.#running;
    this.#running = null;
    if (!job) return;
    const events: EngineEvent[] = job.request
      ? [{ type: 'approval/resolved', requestId: job.request, resolution: 'withdrawn' }]
      : [];
    this.#say(...events, ...this.#charge(job, 'unsettled'), ended(job.turnId, 'unknown'));
  }

  #carryOut(command: Command): CommandResult {
    if (command.sessionId !== null && command.epoch > 0) {
      if (command.epoch < this.#epoch)
        return { ok: false, code: 'stale_epoch', message: 'Another launch has the session.' };
      this.#epoch = command.epoch;
    }
    switch (command.method) {
      case 'session/start':
        return this.#start(command.params);
      case 'session/instruct':
        if (!this.#live) return NOT_READY;
        if (this.#likely('expired', 0.04)) return EXPIRED;
        this.#waiting.push({ ...command.params, grant: command.params.grant });
        return DONE;
      case 'session/answer':
        return this.#hearAnswer(command.params.requestId, command.params.answer.decision);
      case 'session/interrupt':
        if (this.#running) this.#end(this.#running, 'interrupted');
        return DONE;
      case 'session/stop':
        this.#say({ type: 'session/ended', end: 'stopped', reason: 'Stopped.' });
        this.#live = false;
        return DONE;
      case 'session/compact':
        this.witness.anew.push(this.witness.begun.length);
        return this.#live ? DONE : NOT_READY;
      case 'check/run':
        return remembered(this.#checks, command.params.checkId, () => this.#check(command.params));
      case 'brain/ask':
        return remembered(this.#questions, command.params.step, () => this.#decide(command.params));
      default:
        return { ok: false, code: 'bad_request', message: command.method };
    }
  }

  #start({ launchId: id, firstTurn }: Extract<Command, { method: 'session/start' }>['params']) {
    this.#say({ type: 'launch/staged', launchId: id, stage: 'spawned', process: null });
    if (this.#likely('launch refused', 0.08)) {
      const error = { code: 'rate_limited', message: 'Slow down.' } as const;
      const stage = 'spawned' as const;
      const rest = { state: 'provider_failed' as const, error, elapsedMs: 1, stderrTail: [] };
      this.#say({ type: 'launch/failed', launchId: id, stage, ...rest });
      const back = { delivery: 'undelivered', reason: error.message } as const;
      if (firstTurn) this.#say({ type: 'turn/delivered', turnId: firstTurn.turnId, ...back });
      return DONE;
    }
    const ready = { engineSessionId: 'c', engineVersion: null, model: null, credential: null };
    this.#say({ type: 'engine/ready', launchId: launchId.parse(id), payer: 'unknown', ...ready });
    this.#live = true;
    if (firstTurn) this.#waiting.push({ ...firstTurn, grant: firstTurn.grant });
    return DONE;
  }

  #begin(job: Job): void {
    const { turnId, text } = job;
    const delivered = (delivery: 'undelivered' | 'unknown' | 'confirmed', reason: string | null) =>
      this.#say({ type: 'turn/delivered', turnId, delivery, reason });
    if (this.#likely('undelivered', 0.04)) return delivered('undelivered', 'The engine was gone.');
    this.witness.begun.push({ turnId, text });
    if (this.#likely('unconfirmed', 0.03)) {
      this.#say(...this.#charge(job, 'unsettled'));
      return delivered('unknown', 'The engine ended before it said that it had it.');
    }
    delivered('confirmed', null);
    this.#say({ type: 'turn/started', turnId, origin: 'instruction' });
    const request = this.#likely('asks', 0.12) ? requestId.parse(`apr_f${++this.#made}`) : null;
    this.#running = { ...job, request };
    if (request)
      this.#say({ type: 'approval/requested', request: this.#requestOf(request, turnId) });
  }

  #work(job: Running): void {
    if (!this.calm && this.#chance.happens('goes on', 0.4)) return;
    if (!this.#likely('no progress', 0.2)) this.#progress += 1;
    this.#end(job, this.#likely('limited', 0.08) ? 'limited' : 'ok');
  }

  #end(job: Running, how: 'ok' | 'limited' | 'interrupted'): void {
    this.#running = null;
    const { turnId } = job;
    const toolId = `tool-${++this.#made}`;
    const file = { path: 'work.txt', change: 'edited' as const, additions: 1, deletions: 0 };
    const patch = { text: `+${turnId}`, truncated: null };
    if (how === 'limited')
      this.#say({
        type: 'rateLimit/reported',
        status: 'rejected',
        resetsAt: this.#nowMs() + 90_000,
      });
    this.#say(
      {
        type: 'tool/ended',
        toolId,
        outcome: 'ok',
        exitCode: 0,
        output: { text: '', truncated: null },
        files: [{ ...file, patch }],
        durationMs: 1,
      },
      ...this.#charge(job, 'reported'),
      ended(turnId, how),
    );
  }

  #hearAnswer(id: RequestId, decision: 'allow' | 'deny'): CommandResult {
    this.witness.answered.push({ requestId: id, decision });
    if (this.#running?.request !== id)
      return { ok: false, code: 'approval_expired', message: 'Nobody waits for it any more.' };
    this.#running = { ...this.#running, request: null };
    const resolution = decision === 'allow' ? 'allowed' : 'denied';
    this.#say({ type: 'approval/resolved', requestId: id, resolution });
    return DONE;
  }

  #check({ title, command }: Extract<Command, { method: 'check/run' }>['params']): CommandResult {
    const passed = this.#progress >= this.#goal;
    this.witness.passing = passed;
    // Differs for each piece of work that was begun, so that no two instructions need be alike.
    const tail = `${this.#progress} of ${this.#goal} ${words(this.witness.begun.length)}`;
    const value = { title, command, passed, exitCode: passed ? 0 : 1, durationMs: 1, tail };
    return { ok: true, value };
  }

  #decide(asked: Extract<Command, { method: 'brain/ask' }>['params']): CommandResult {
    const work = `${words(this.witness.begun.length)} ${asked.step}`;
    const { value, served } = answerQuestion(this.#chance, work, this.calm);
    const usage = served ? this.#price('brain', asked.grant, 'reported', 'm-brain') : [];
    for (const entry of usage)
      this.#say({ type: 'brain/answered', step: asked.step, usage: entry });
    return { ok: true, value: { ...value, usage } };
  }

  #charge({ turnId, grant }: Job, provenance: 'reported' | 'unsettled'): EngineEvent[] {
    const entries = this.#price('engine', grant, provenance, 'm');
    return [{ type: 'usage/recorded', turnId, entries }];
  }

  /** No more than was granted, and a little of what was under way when it was used up. */
  #price(
    source: 'engine' | 'brain',
    grant: TurnGrant | undefined,
    provenance: 'reported' | 'unsettled',
    model: string,
  ): UsageEntry[] {
    const wanted = this.#chance.between(`cost ${source}`, ...COST);
    const most = grant?.microUsd ?? Infinity;
    const beyond = wanted > most ? this.#chance.between('beyond', 0, BEYOND_MAX) : 0;
    const microUsd = Math.min(wanted, most) + beyond;
    this.witness.charged.push({ source, microUsd, beyond });
    // Its conversation is long from the first turn on, until it is begun anew.
    const long = source === 'engine' && this.witness.anew.length === 0;
    const cache = { cacheReadTokens: long ? 300_000 : 0, cacheWriteTokens: 0 };
    const tokens = { inputTokens: microUsd, outputTokens: 1, ...cache };
    return [{ model, provenance, payer: 'api-key', ...tokens, microUsd }];
  }

  #requestOf(id: RequestId, turnId: TurnId) {
    const input = { text: '{}', truncated: null };
    const shown = { toolId: null, kind: 'tool', toolName: 'Bash', input, summary: 'ls' } as const;
    const lists = { acts: [], questions: [], suggestions: [] };
    return {
      requestId: id,
      turnId,
      ...shown,
      ...lists,
      requestedAt: this.#nowMs(),
      expiresAt: null,
    };
  }

  #likely(what: string, likelihood: number): boolean {
    return !this.calm && this.#chance.happens(what, likelihood);
  }

  #say(...events: EngineEvent[]): void {
    this.outbox.events.push(...events);
  }
}

const DONE: CommandResult = { ok: true, value: null };
const NOT_READY: CommandResult = { ok: false, code: 'session_not_ready', message: 'No engine.' };
const EXPIRED: CommandResult = { ok: false, code: 'expired', message: 'It waited too long.' };

/** A number in words: whoever compares failures without their digits sees that they differ. */
const words = (count: number): string => 'x'.repeat(count + 1);

function remembered<K>(known: Map<K, CommandResult>, key: K, make: () => CommandResult) {
  const result = known.get(key) ?? make();
  known.set(key, result);
  return result;
}

function ended(turnId: TurnId, how: 'ok' | 'limited' | 'interrupted' | 'unknown'): EngineEvent {
  const error = how === 'limited' ? { code: 'rate_limited' as const, message: 'Slow down.' } : null;
  const outcome = how === 'limited' ? 'failed' : how;
  const observed = { usage: 'recorded', acts: 'none' } as const;
  return { type: 'turn/ended', turnId, outcome, error, durationMs: 1, ...observed };
}
