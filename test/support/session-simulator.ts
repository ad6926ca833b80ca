import type { EngineEvent } from '../../protocol/engine-event.ts';
import { commandId, launchId, turnId, type TurnId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import { reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import {
  decideSession,
  openSession,
  type SessionDecision,
} from '../../runner/sessions/decide-session.ts';
import type {
  SessionEffect,
  SessionInput,
  Settled,
  Standing,
} from '../../runner/sessions/session-io.ts';
import {
  nextWakeAt,
  SESSION_TIMINGS,
  type SessionConfig,
  type SessionState,
} from '../../runner/sessions/session-state.ts';
import { aLaunch, SESSION, viewAfter } from './protocol-builders.ts';

export const CONFIG: SessionConfig = {
  ...SESSION_TIMINGS,
  capabilities: {
    turnEnd: 'event',
    usage: 'dollars',
    acts: 'structured',
    approvals: true,
    interrupt: true,
    resume: true,
    keys: true,
    steer: true,
  },
};

/** The same of an engine that takes one turn per process. */
export const ONE_SHOT: SessionConfig = {
  ...CONFIG,
  capabilities: { ...CONFIG.capabilities, turnEnd: 'exit', approvals: false },
};

export const turnNumber = (number: number): TurnId => turnId.parse(`trn_${number}`);

/**
 * A session's rules with a machine around them that does what they ask, one step at a time, so
 * that a test or chance decides when anything happens and what goes wrong.
 */
export class SessionSimulator {
  state: SessionState;
  view: SessionView;
  now = 1_000;
  readonly events: EngineEvent[] = [];
  readonly effects: SessionEffect[] = [];
  /** What the shell would be doing. */
  preparing = false;
  spawning = false;
  alive = false;
  terminating = false;
  /** A person's terminal is being opened, or is open. */
  opening = false;
  terminal = false;
  bringing = false;
  processes = 0;
  /** What the engine has read from its pipe and not answered. */
  engineHas: TurnId | null = null;
  engineTurn: TurnId | null = null;
  /** What was put into the turn under way. */
  readonly steered: TurnId[] = [];
  readonly refusals: string[] = [];

  constructor(firstTurn: number | null = 1, launch: LaunchSpec = aLaunch(), config = CONFIG) {
    this.config = config;
    this.view = viewAfter();
    const opened = openSession(this.start(firstTurn, launch), null, this.now, config);
    this.state = opened.state;
    this.#take(opened);
  }

  readonly config: SessionConfig;

  start(firstTurn: number | null, launch: LaunchSpec = aLaunch()) {
    const first = firstTurn === null ? null : { turnId: turnNumber(firstTurn), text: 'go' };
    return {
      kind: 'start',
      sessionId: SESSION,
      launch,
      launchId: launchId.parse('lau_one'),
      engineSessionId: null,
      firstTurn: first,
      commandId: commandId.parse('cmd_start'),
      epoch: 1,
    } as const;
  }

  input(input: SessionInput): void {
    this.#take(decideSession(this.state, input, this.now, this.config));
  }

  event(event: EngineEvent): void {
    this.input({ kind: 'event', event });
  }

  prepared(): void {
    this.preparing = false;
    this.input({ kind: 'prepared', events: [] });
  }

  spawned(): void {
    this.spawning = false;
    this.alive = true;
    this.processes += 1;
    this.input({
      kind: 'spawned',
      process: { pid: 7, argv: ['engine'], directory: '/work', environment: [] },
    });
    this.input({ kind: 'submitted', lines: 1 });
  }

  ready(): void {
    this.event({
      type: 'engine/ready',
      launchId: this.state.launchId,
      engineSessionId: 'conversation',
      engineVersion: null,
      model: null,
      payer: 'unknown',
      credential: null,
    });
    this.input({ kind: 'spoke' });
  }

  startTurn(id = this.engineHas): void {
    if (id === null) throw new Error('the engine has no instruction');
    this.engineHas = null;
    this.engineTurn = id;
    this.event({ type: 'turn/started', turnId: id, origin: 'instruction' });
    this.input({ kind: 'spoke' });
  }

  endTurn(over: Partial<Extract<EngineEvent, { type: 'turn/ended' }>> = {}): void {
    const id = this.engineTurn;
    if (id === null) throw new Error('no turn is open');
    this.engineTurn = null;
    const ended = {
      outcome: 'ok',
      error: null,
      durationMs: 5,
      usage: 'recorded',
      acts: 'none',
    } as const;
    this.event({ type: 'turn/ended', turnId: id, ...ended, ...over });
    this.input({ kind: 'spoke' });
  }

  takeOver(turn = 90): void {
    const wish = { turnId: turnNumber(turn), size: { columns: 80, rows: 24 }, openedAt: null };
    this.input({ kind: 'takeOver', wish });
  }

  /** `settled` is what the engine's books say that an earlier terminal cost. */
  terminalOpened(settled: Settled = null): void {
    this.opening = false;
    this.terminal = true;
    const process = { pid: 8, argv: ['engine', '--resume'], directory: '/work' };
    this.input({ kind: 'terminalOpened', process, books: null, settled });
  }

  terminalClosed(failure: string | null = null, settled: Settled = null): void {
    this.opening = false;
    this.terminal = false;
    this.input({ kind: 'terminalClosed', end: { exitCode: 0, failure }, settled });
  }

  broughtBack(): void {
    this.bringing = false;
    this.input({ kind: 'broughtBack', events: [] });
  }

  /** The process ends, whyever; the parser says what that means for an open turn. */
  exit(exitCode: number | null = 1): void {
    this.alive = false;
    this.terminating = false;
    this.engineHas = null;
    if (this.engineTurn) this.endTurn({ outcome: 'killed', usage: 'unsettled' });
    this.input({ kind: 'exited', exit: { exitCode, signal: null, stderrTail: [] } });
  }

  /** This runner dies and the next one takes the session up, and its process as it then stands. */
  restart(process: Standing = this.alive ? 'reachable' : 'gone'): void {
    this.preparing = false;
    this.spawning = false;
    this.terminating = false;
    this.bringing = false;
    this.opening = false;
    this.terminal = false;
    this.input({ kind: 'adopt', process });
    if (process === 'reachable') this.input({ kind: 'caughtUp' });
  }

  wake(): void {
    const wakeAt = nextWakeAt(this.state, this.config);
    if (wakeAt === null) return;
    this.now = Math.max(this.now, wakeAt);
    this.input({ kind: 'wake', stderrTail: ['last words'] });
  }

  /** From its launch to a running first turn. */
  run(): this {
    this.prepared();
    this.spawned();
    this.ready();
    this.startTurn();
    return this;
  }

  ofType<T extends EngineEvent['type']>(type: T): Extract<EngineEvent, { type: T }>[] {
    return this.events.filter((event) => event.type === type) as Extract<
      EngineEvent,
      { type: T }
    >[];
  }

  deliveries(number: number): string[] {
    return this.ofType('turn/delivered')
      .filter((event) => event.turnId === turnNumber(number))
      .map(({ delivery }) => delivery);
  }

  #take({ state, effects }: SessionDecision): void {
    this.state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: SessionEffect): void {
    this.effects.push(effect);
    switch (effect.kind) {
      case 'emit':
        this.events.push(effect.event);
        this.view = reduceSession(this.view, {
          position: this.events.length,
          at: this.now,
          seq: null,
          event: effect.event,
        });
        return;
      case 'refuse':
        return void this.refusals.push(effect.code);
      case 'hand':
        if (!this.alive || this.engineHas || this.engineTurn)
          throw new Error('handed to an engine that is not free');
        this.engineHas = effect.turn.turnId;
        return;
      case 'prepare':
        if (this.preparing) throw new Error('prepared twice');
        this.preparing = true;
        return;
      case 'spawn':
        if (this.alive || this.spawning || this.opening || this.terminal)
          throw new Error('a second process on one conversation');
        this.spawning = true;
        if (effect.turn) this.engineHas = effect.turn.turnId;
        return;
      case 'openTerminal':
        if (this.alive || this.spawning || this.opening || this.terminal)
          throw new Error('a terminal beside another process of one conversation');
        if (this.bringing) throw new Error('a terminal while commits are brought back');
        this.opening = true;
        return;
      case 'closeTerminal':
        return;
      case 'terminate':
        this.terminating = true;
        return;
      case 'bringBack':
        if (this.bringing) throw new Error('two bring back the same commits');
        this.bringing = true;
        return;
      case 'steer':
        if (!this.alive || !this.engineTurn) throw new Error('steered into no turn');
        this.steered.push(effect.turn.turnId);
        return;
      case 'settleStart':
      case 'answer':
      case 'type':
      case 'interrupt':
      case 'grantModel':
      case 'settlePush':
      case 'keepPushes':
        return;
      default:
        return effect satisfies never;
    }
  }
}
