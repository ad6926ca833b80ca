import { spawn, type ChildProcess } from 'node:child_process';
import { approvalAnswer, type ApprovalRequest } from '../../../protocol/approval.ts';
import { turnId } from '../../../protocol/ids.ts';
import type {
  Engine,
  EngineItem,
  EngineLaunch,
  EngineStep,
} from '../../../runner/engines/engine.ts';
import type { Recorded } from './normalise.ts';

/** What a driver of a persistent engine does next. One that waits goes on at the event it names. */
export type Move =
  | { do: 'instruct'; text: string }
  | { do: 'answer'; decision: 'allow' | 'deny'; suggestion?: number; message?: string }
  | { do: 'interrupt' }
  | { do: 'kill' }
  | { do: 'end' }
  | { do: 'resume'; afterMs?: number }
  | { until: string };

const WITHIN_MS = 120_000;
const isCall = (move: Move): move is Exclude<Move, { until: string }> => 'do' in move;

/**
 * Drives a real engine through its own encoders and parser, as a session does, and records every
 * line in both directions and every move. A resumption is another process of the same recording.
 */
export class Talk {
  readonly records: Recorded[] = [];
  readonly #engine: Engine;
  readonly #launch: EngineLaunch;
  readonly #env: NodeJS.ProcessEnv;
  #state: unknown;
  #items: EngineItem[] = [];
  #asked: ApprovalRequest[] = [];
  #child: ChildProcess | null = null;
  #turns = 0;
  #conversation: string | null = null;
  readonly #startedAt = performance.now();
  #ended: Promise<void> = Promise.resolve();
  #seen = 0;

  constructor(engine: Engine, launch: EngineLaunch, env: NodeJS.ProcessEnv) {
    this.#engine = engine;
    this.#launch = launch;
    this.#env = env;
  }

  async play(moves: readonly Move[]): Promise<void> {
    this.#start(false);
    try {
      for (const move of moves) await this.#move(move);
      if (this.#child) await this.#move({ do: 'end' });
    } finally {
      this.#child?.kill('SIGKILL');
    }
  }

  #note(dir: Recorded['dir'], line: unknown): void {
    this.records.push({ t: Math.round(performance.now() - this.#startedAt), dir, line });
  }

  #start(resume: boolean): void {
    const launch: EngineLaunch = {
      ...this.#launch,
      resume,
      engineSessionId: this.#conversation ?? this.#launch.engineSessionId,
    };
    const plan = this.#engine.plan(launch, this.#env);
    const [file, ...args] = plan.argv;
    const { approvals } = launch.launch;
    const { engineSessionId } = launch;
    this.#note('argv', { argv: plan.argv, resume, engineSessionId, approvals });
    const child = spawn(file, args, { cwd: plan.directory, env: plan.env });
    this.#child = child;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#line(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#note('err', text));
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, sig) => {
        this.#note('exit', { code, sig });
        const exit = { exitCode: code, signal: sig, expected: false, stderrTail: [] };
        this.#take(this.#engine.exit(this.#state, exit, this.#now()));
        this.#child = null;
        resolve();
      });
    });
    this.#take(this.#engine.open(launch, this.#state ?? undefined));
  }

  #line(text: string): void {
    let line: unknown = { _text: text };
    try {
      line = JSON.parse(text);
    } catch {
      // Not a line of the protocol: kept as it is.
    }
    this.#note('out', line);
    this.#take(this.#engine.parse(this.#state, text, this.#now()));
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  #take(step: EngineStep<unknown>): void {
    this.#state = step.state;
    for (const item of step.items) {
      this.#items.push(item);
      if (item.kind === 'write') {
        this.#note('in', JSON.parse(item.line));
        this.#child?.stdin?.write(`${item.line}\n`);
      }
      if (item.kind !== 'event') continue;
      if (item.event.type === 'engine/ready') this.#conversation = item.event.engineSessionId;
      if (item.event.type === 'approval/requested') this.#asked.push(item.event.request);
    }
  }

  async #move(move: Move): Promise<void> {
    if (!isCall(move)) return this.#until(move.until);
    if (move.do !== 'resume') this.#note('note', move);
    const at = this.#now();
    switch (move.do) {
      case 'instruct': {
        const turn = { turnId: turnId.parse(`trn_${++this.#turns}`), text: move.text };
        return this.#take(this.#engine.encodeInstruction(this.#state, turn, at));
      }
      case 'answer': {
        const request = this.#asked.shift();
        if (!request) throw new Error('nothing was asked');
        const given = approvalAnswer.parse(move);
        return this.#take(this.#engine.encodeAnswer(this.#state, request, given, at));
      }
      case 'interrupt':
        return this.#take(this.#engine.encodeInterrupt(this.#state, at));
      case 'kill':
        this.#child?.kill('SIGKILL');
        return this.#ended;
      case 'end':
        this.#child?.stdin?.end();
        return this.#ended;
      case 'resume':
        if (move.afterMs) await new Promise((resolve) => setTimeout(resolve, move.afterMs));
        this.#seen = this.#items.length;
        return this.#start(true);
      default:
        return move satisfies never;
    }
  }

  /** Waits for an event, or for `delta`, that came after those that were waited for before. */
  async #until(type: string): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const found = this.#items.findIndex(
        (item, index) =>
          index >= this.#seen &&
          (item.kind === 'event' ? item.event.type === type : item.kind === type),
      );
      if (found >= 0) {
        this.#seen = found + 1;
        return;
      }
      if (performance.now() > deadline || (!this.#child && this.#seen > 0))
        throw new Error(`no ${type} came: ${JSON.stringify(this.records.slice(-5))}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
