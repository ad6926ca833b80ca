import { rmSync } from 'node:fs';
import type { Command, CommandResult, Instruction } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { messageOf } from '../failure.ts';
import { createRedactor, type Redactor } from '../guard/redact.ts';
import { refusedResult } from '../link/commands.ts';
import type { Stream } from '../link/outbox.ts';
import { listProcesses } from '../process/process-table.ts';
import { Checkouts, type CheckoutRooms } from './checkouts.ts';
import { BrainAsks } from '../brain/asks.ts';
import { Checks } from './checks.ts';
import { type Fetched, FetchFirst } from './fetch-first.ts';
import { keepForked } from './forks.ts';
import { FileSearch } from './file-search.ts';
import { HeadlessSession } from './headless-session.ts';
import { Lanes } from '../lanes.ts';
import { Landings } from './landings.ts';
import { loseSession } from './lose-session.ts';
import { Reviews } from './reviews.ts';
import { Rewinds } from './rewinds.ts';
import { claimOf, decideRival, type Claim } from './rivals.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionInput } from './session-io.ts';
import type { QueuedTurn } from './session-state.ts';

/** How often working engines are looked after: descendants, stderr, a watch that said nothing. */
const SWEEP_MS = 1_000;

type SessionCommand = Extract<Command, { method: `session/${string}` }>;

/** The sessions of this machine: each has one driver, and no two work in one directory. */
export class Supervisor {
  readonly #deps: SessionDeps;
  readonly #sessions = new Map<SessionId, HeadlessSession>();
  #sweep: NodeJS.Timeout | null = null;
  #stopping = false;
  /** Holding a place before there is a session in it: launches do not wait for each other. */
  readonly #starting = new Map<SessionId, Claim>();
  /** Sessions of an earlier runner that could not be taken up, and why. */
  readonly #lost = new Map<SessionId, string>();
  readonly #lanes = new Lanes<SessionId>();
  readonly #fetches: FetchFirst;
  readonly #rooms: CheckoutRooms;
  readonly checkouts: Checkouts;
  readonly checks: Checks;
  readonly files: FileSearch;
  readonly reviews: Reviews;
  readonly brains: BrainAsks;
  readonly landings: Landings;
  readonly rewinds: Rewinds;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#fetches = new FetchFirst(deps.images);
    deps.ports.attendPushes({
      policyOf: (sessionId) => this.#sessions.get(sessionId)?.policy ?? null,
      pushed: (sessionId, push) => this.#sessions.get(sessionId)?.pushed(push),
      waiting: (sessionId) => this.#sessions.get(sessionId)?.state.heldPushes ?? [],
      watchedOf: (sessionId) => this.#sessions.get(sessionId)?.state.watched,
      redactorOf: (sessionId) => this.#redactorOf(sessionId),
    });
    this.checks = new Checks(deps, { sessions: this.#sessions });
    this.brains = new BrainAsks(deps, { sessions: this.#sessions });
    const rooms: CheckoutRooms = {
      sessions: this.#sessions,
      lost: (sessionId) => this.#lost.get(sessionId),
      inLane: (sessionId, work) => this.#lanes.run(sessionId, work),
    };
    this.#rooms = rooms;
    this.checkouts = new Checkouts(deps, rooms);
    this.files = new FileSearch(rooms, deps.now);
    this.reviews = new Reviews(deps, rooms);
    this.landings = new Landings(deps, rooms);
    this.rewinds = new Rewinds(deps, rooms);
  }

  /** Whether the session is one of this machine's. */
  knows(sessionId: SessionId): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Throws for a session that is not known: what may be secret in its words is not known then. */
  async #redactorOf(sessionId: SessionId): Promise<Redactor> {
    const { ports } = this.#deps;
    const session = this.#sessions.get(sessionId);
    const engine = session && ports.findEngine(session.state.launch);
    if (!engine) throw new PilothouseError('session_not_found', { detail: sessionId });
    return createRedactor(await ports.readSecrets(engine, session.row.checkout));
  }

  /** Takes up every session that the database knows; what an earlier runner left is carried on. */
  adoptAll(): void {
    for (const row of this.#deps.sessions.list()) {
      const { sessionId, launch } = row.state;
      const engine = this.#deps.ports.findEngine(launch);
      if (!engine) {
        this.#deps.log('error', 'a session’s engine is no longer known', {
          session: sessionId,
          engine: launch.engineId,
        });
        if (row.state.phase.kind !== 'over')
          void this.#lanes.run(sessionId, () => loseSession(this.#deps, row));
        continue;
      }
      this.#sessions.set(sessionId, new HeadlessSession(this.#deps, engine, row));
    }
    for (const [sessionId, session] of this.#sessions)
      void this.#lanes.run(sessionId, () => this.#adopt(session));
    this.#sweep = setInterval(() => this.#lookAfter(), SWEEP_MS);
    this.#sweep.unref();
    this.brains.adoptAll();
    this.checkouts.keepHouse();
  }

  /**
   * Carries out a command of a session. Null means that its result is recorded by the session,
   * with the effect. In order for each session, after what an earlier runner left of it is taken
   * up; no session waits for another. What a person says to an engine that runs waits for no images
   * of an instruction that came before.
   */
  async execute(command: SessionCommand): Promise<CommandResult | null> {
    const { sessionId } = command;
    if (sessionId === null) return refusedResult('bad_request', 'the command names no session');
    const inLane = (fetched: Fetched) =>
      this.#lanes.run(sessionId, () => this.#execute(command, sessionId, fetched));
    const overtakes = OVERTAKING.has(command.method);
    if (overtakes && this.#sessions.has(sessionId)) return inLane(() => undefined);
    // Of a session that is not there yet nothing but its start waits, which is then not made.
    if (command.method === 'session/stop') this.#fetches.abort(sessionId);
    return this.#fetches.run(sessionId, imagesOf(command), inLane);
  }

  async #execute(
    command: SessionCommand,
    sessionId: SessionId,
    fetched: Fetched,
  ): Promise<CommandResult | null> {
    // Recorded as received and not answered: it comes again to the runner's next start.
    if (this.#stopping) return null;
    const session = this.#sessions.get(sessionId);
    if (session && this.#lost.has(sessionId)) await this.#adopt(session);
    const lost = this.#lost.get(sessionId);
    if (lost !== undefined)
      return refusedResult('internal', `the session could not be taken up again: ${lost}`);
    if (session && command.epoch < session.state.epoch) return refusedResult('stale_epoch');
    if (command.method === 'session/start')
      return this.#start(command, sessionId, session, fetched);
    if (!session) return refusedResult('session_not_found', sessionId);
    if (command.method === 'session/takeover' && !this.#deps.ports.allowsTakeover())
      return refusedResult('takeover_not_allowed');
    if (command.method === 'session/stop') {
      this.#fetches.abort(sessionId);
      this.checks.end(sessionId);
      this.brains.end(sessionId);
    }
    const begins = command.method === 'session/instruct' || command.method === 'session/takeover';
    const fault = begins ? await session.keepToLimits() : null;
    // It may have taken a while: a session that was shut down meanwhile begins nothing.
    if (this.#stopping) return null;
    if (fault) return refusedResult(fault.code, fault.detail);
    if (command.method !== 'session/instruct') session.act(command, inputOf(command));
    else {
      const turn = withImages(command.params, fetched);
      session.act(command, { kind: 'instruct', turn, steer: command.params.steer === true });
    }
    return null;
  }

  /** Spools whose events the cloud has are removed: nothing of the engine's raw words stays. */
  acked({ sessionId, ackedUpTo }: Stream): void {
    for (const path of this.#deps.sessions.listSpentSpools(sessionId, ackedUpTo)) {
      rmSync(path, { force: true });
      this.#deps.sessions.forgetSpool(path);
    }
  }

  /** Ends every engine and says so. Resolves when none is left, or after `boundMs`. */
  async stop(boundMs: number): Promise<void> {
    this.#stopping = true;
    this.#fetches.abortAll();
    for (const session of this.#taken) session.shutdown();
    const until = Date.now() + boundMs;
    while (!this.#quiet && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.#sweep) clearInterval(this.#sweep);
    this.checkouts.stop();
    this.checks.endAll();
    await this.brains.endAll();
    for (const session of this.#sessions.values()) session.dispose();
  }

  get #quiet(): boolean {
    return this.#taken.every((session) => session.quiet);
  }

  get #taken(): HeadlessSession[] {
    return [...this.#sessions].flatMap(([id, session]) => (this.#lost.has(id) ? [] : [session]));
  }

  /** Takes a session up; one that cannot be is told so, and tried again at its next command. */
  async #adopt(session: HeadlessSession): Promise<void> {
    const { sessionId } = session.state;
    try {
      await session.adopt();
      this.#lost.delete(sessionId);
    } catch (error) {
      this.#lost.set(sessionId, messageOf(error));
      session.notTakenUp(messageOf(error));
      this.#deps.log('error', 'a session could not be taken up', {
        session: sessionId,
        reason: messageOf(error),
      });
    }
  }

  async #start(
    command: Extract<Command, { method: 'session/start' }>,
    sessionId: SessionId,
    known: HeadlessSession | undefined,
    fetched: Fetched,
  ): Promise<CommandResult | null> {
    const { launch, launchId, engineSessionId, firstTurn, story } = command.params;
    // The same command again after a restart: the session is already at it.
    if (known?.state.startCommandId === command.id) return null;
    if (known && !(await known.isOver()))
      return refusedResult('conflict', 'the session is already running');
    if (this.#stopping) return null;
    const engine = this.#deps.ports.findEngine(launch);
    if (!engine) return refusedResult('engine_unknown', launch.engineId);
    const option = [engineSessionId, launch.model].find((word) => word?.startsWith('-'));
    if (option) return refusedResult('bad_request', `${option} would be an option of the engine`);
    if (!known) await keepForked(this.#deps, this.#rooms, launch);
    const first = firstTurn && withImages(firstTurn, fetched);
    const claim = claimOf(sessionId, launch, engineSessionId);
    // Checked and held in one step, so that no other launch comes between.
    const rival = decideRival(claim, this.#listClaims());
    if (rival) return rival;
    this.#starting.set(sessionId, claim);
    try {
      // Its earlier life may still be bringing commits back: two of them would undo each other.
      const previous = known ? await known.retire() : null;
      const input = {
        kind: 'start',
        sessionId,
        launch,
        launchId,
        engineSessionId,
        firstTurn: first,
        story,
        commandId: command.id,
        epoch: command.epoch,
      } as const;
      const session = await HeadlessSession.start(this.#deps, engine, input, previous);
      this.#sessions.set(sessionId, session);
      if (this.#stopping) session.shutdown();
    } finally {
      this.#starting.delete(sessionId);
    }
    return null;
  }

  #listClaims(): Claim[] {
    const open = [...this.#sessions.values()].filter(({ state }) => state.phase.kind !== 'over');
    const held = open.map(({ state }) =>
      claimOf(state.sessionId, state.launch, state.engineSessionId),
    );
    return [...this.#starting.values(), ...held];
  }

  #lookAfter(): void {
    for (const session of this.#sessions.values()) session.capFiles();
    const busy = [...this.#sessions.values()].filter((session) => session.busy);
    if (busy.length === 0) return;
    const table = listProcesses();
    for (const session of busy) session.sweep(table);
  }
}

/** What stops, halts or answers an engine that runs. */
const OVERTAKING: ReadonlySet<string> = new Set<SessionCommand['method']>([
  'session/stop',
  'session/interrupt',
  'session/answer',
]);

function imagesOf({ method, params }: SessionCommand): Instruction['images'] {
  if (method === 'session/start') return params.firstTurn?.images;
  return method === 'session/instruct' ? params.images : undefined;
}

/** An instruction with what it comes with on this machine. Throws `image_unavailable`. */
function withImages({ turnId, text, grant }: Instruction, fetched: Fetched): QueuedTurn {
  const images = fetched();
  return { turnId, text, ...(grant && { grant }), ...(images && { images }) };
}

function inputOf(
  command: Exclude<SessionCommand, { method: 'session/start' | 'session/instruct' }>,
): SessionInput {
  switch (command.method) {
    case 'session/answer':
      return { kind: 'answer', requestId: command.params.requestId, answer: command.params.answer };
    case 'session/interrupt':
      return { kind: 'interrupt' };
    case 'session/stop':
      return { kind: 'stop' };
    case 'session/restart':
      return { kind: 'restart' };
    case 'session/takeover':
      return { kind: 'takeOver', wish: { ...command.params, openedAt: null } };
    case 'session/release':
      return { kind: 'release' };
    case 'session/resume':
      return { kind: 'resume' };
    case 'session/compact':
      return { kind: 'compact', story: command.params.story };
    default:
      return command satisfies never;
  }
}
