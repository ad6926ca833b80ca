import { existsSync, rmSync } from 'node:fs';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { messageOf } from '../failure.ts';
import { isWithin } from '../limits/paths.ts';
import { refusedResult } from '../link/commands.ts';
import type { Stream } from '../link/outbox.ts';
import { listProcesses } from '../process/process-table.ts';
import { HeadlessSession } from './headless-session.ts';
import { realDirectoryOf } from './launcher.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionInput } from './session-io.ts';

/** How often working engines are looked after: descendants, stderr, a watch that said nothing. */
const SWEEP_MS = 1_000;

type SessionCommand = Extract<Command, { method: `session/${string}` }>;

/** The sessions of this machine: each has one driver, and no two work in one directory. */
export class Supervisor {
  readonly #deps: SessionDeps;
  readonly #sessions = new Map<SessionId, HeadlessSession>();
  #sweep: NodeJS.Timeout | null = null;
  #stopping = false;
  #lane: Promise<unknown> = Promise.resolve();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Takes up every session that the database knows; what an earlier runner left is carried on. */
  adoptAll(): void {
    for (const row of this.#deps.sessions.list()) {
      const { sessionId, launch } = row.state;
      const engine = this.#deps.ports.findEngine(launch.engineId);
      if (!engine) {
        this.#deps.log('error', 'a session’s engine is no longer known; it stays as it is', {
          session: sessionId,
          engine: launch.engineId,
        });
        continue;
      }
      this.#sessions.set(sessionId, new HeadlessSession(this.#deps, engine, row));
    }
    const adoptions = [...this.#sessions.values()].map((session) => this.#adopt(session));
    this.#lane = Promise.all(adoptions);
    this.#sweep = setInterval(() => this.#lookAfter(), SWEEP_MS);
    this.#sweep.unref();
  }

  /**
   * Carries out a command of a session. Null means that its result is recorded by the session,
   * with the effect. One at a time and in order, after what an earlier runner left is taken up.
   */
  execute(command: SessionCommand): Promise<CommandResult | null> {
    const done = this.#lane.then(() => this.#execute(command));
    this.#lane = done.catch(() => undefined);
    return done;
  }

  async #execute(command: SessionCommand): Promise<CommandResult | null> {
    const { sessionId } = command;
    if (sessionId === null) return refusedResult('bad_request', 'the command names no session');
    // Recorded as received and not answered: it comes again to the runner's next start.
    if (this.#stopping) return null;
    const session = this.#sessions.get(sessionId);
    if (session && command.epoch < session.state.epoch) return refusedResult('stale_epoch');
    if (command.method === 'session/start') return this.#start(command, sessionId, session);
    if (!session) return refusedResult('session_not_found', sessionId);
    session.act(command, inputOf(command));
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
    for (const session of this.#sessions.values()) session.shutdown();
    const until = Date.now() + boundMs;
    while (!this.#quiet && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.#sweep) clearInterval(this.#sweep);
    for (const session of this.#sessions.values()) session.dispose();
  }

  get #quiet(): boolean {
    return [...this.#sessions.values()].every((session) => session.quiet);
  }

  async #adopt(session: HeadlessSession): Promise<void> {
    try {
      await session.adopt();
    } catch (error) {
      this.#deps.log('error', 'a session could not be taken up', {
        session: session.state.sessionId,
        reason: messageOf(error),
      });
    }
  }

  async #start(
    command: Extract<Command, { method: 'session/start' }>,
    sessionId: SessionId,
    known: HeadlessSession | undefined,
  ): Promise<CommandResult | null> {
    const { launch, launchId, engineSessionId, firstTurn } = command.params;
    // The same command again after a restart: the session is already at it.
    if (known?.state.startCommandId === command.id) return null;
    if (known && !(await known.isOver()))
      return refusedResult('conflict', 'the session is already running');
    if (this.#stopping) return null;
    const engine = this.#deps.ports.findEngine(launch.engineId);
    if (!engine) return refusedResult('engine_unknown', launch.engineId);
    const option = [engineSessionId, launch.model].find((word) => word?.startsWith('-'));
    if (option) return refusedResult('bad_request', `${option} would be an option of the engine`);
    const rival = this.#findRival(
      sessionId,
      launch.checkout === 'inPlace' ? launch.directory : null,
      engineSessionId,
    );
    if (rival) return rival;
    // Its earlier life may still be bringing commits back: two of them would undo each other.
    const previous = known ? await known.retire() : null;
    const input = {
      kind: 'start',
      sessionId,
      launch,
      launchId,
      engineSessionId,
      firstTurn,
      commandId: command.id,
      epoch: command.epoch,
    } as const;
    this.#sessions.set(sessionId, await HeadlessSession.start(this.#deps, engine, input, previous));
    return null;
  }

  /** Never two processes on one conversation, nor in one directory, nor in one inside the other. */
  #findRival(
    sessionId: SessionId,
    directory: string | null,
    engineSessionId: string | null,
  ): CommandResult | null {
    const real = realOrNull(directory);
    for (const { state } of this.#sessions.values()) {
      if (state.sessionId === sessionId || state.phase.kind === 'over') continue;
      const theirs = state.launch.checkout === 'inPlace' ? state.launch.directory : null;
      const held = realOrNull(theirs);
      if (real !== null && held !== null && (isWithin(held, real) || isWithin(real, held))) {
        return refusedResult('directory_busy', held);
      }
      if (engineSessionId !== null && state.engineSessionId === engineSessionId) {
        return refusedResult('conflict', `session ${state.sessionId} holds this conversation`);
      }
    }
    return null;
  }

  #lookAfter(): void {
    const busy = [...this.#sessions.values()].filter((session) => session.busy);
    if (busy.length === 0) return;
    const table = listProcesses();
    for (const session of busy) session.sweep(table);
  }
}

/** A directory that is gone is nobody's; the launch itself is told so when it is checked. */
function realOrNull(directory: string | null): string | null {
  if (directory === null || !existsSync(directory)) return null;
  return realDirectoryOf(directory);
}

function inputOf(command: Exclude<SessionCommand, { method: 'session/start' }>): SessionInput {
  switch (command.method) {
    case 'session/instruct':
      return { kind: 'instruct', turn: command.params };
    case 'session/answer':
      return { kind: 'answer', requestId: command.params.requestId, answer: command.params.answer };
    case 'session/interrupt':
      return { kind: 'interrupt' };
    case 'session/stop':
      return { kind: 'stop' };
    default:
      return command satisfies never;
  }
}
