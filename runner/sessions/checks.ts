import type { CommandParams } from '../../protocol/command.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Evidence, EVIDENCE_TAIL_CHARS } from '../../protocol/pilot.ts';
import { createRedactor } from '../guard/redact.ts';
import type { HeadlessSession } from './headless-session.ts';
import type { SessionDeps } from './session-deps.ts';

type CheckRequest = CommandParams<'check/run'>;

/** Checks that are remembered after their end, so that one that is asked for again is not run again. */
const REMEMBERED = 500;

/** What the supervisor knows of its sessions. */
export type CheckRooms = { sessions: ReadonlyMap<SessionId, HeadlessSession> };

/**
 * Runs the checks of Pilots: approved lines, in the session's checkout and within its seal. The
 * same id is the same run, so that a question that is asked again after a crash joins it.
 */
export class Checks {
  readonly #deps: Pick<SessionDeps, 'ports'>;
  readonly #rooms: CheckRooms;
  readonly #runs = new Map<string, Promise<Evidence>>();
  readonly #stops = new Map<SessionId, AbortController>();

  constructor(deps: Pick<SessionDeps, 'ports'>, rooms: CheckRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /**
   * Runs a check, or finds its run. Throws `session_not_found`, `checkout_not_found`, and
   * `check_not_approved` for a line that nobody on this machine has approved.
   */
  async run(sessionId: SessionId, request: CheckRequest): Promise<Evidence> {
    const known = this.#runs.get(request.checkId);
    if (known) return known;
    const run = this.#start(sessionId, request);
    this.#runs.set(request.checkId, run);
    // A refusal is not an answer to keep: what was missing may be there the next time.
    run.catch(() => this.#runs.delete(request.checkId));
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > REMEMBERED && oldest !== undefined) this.#runs.delete(oldest);
    return run;
  }

  /** Ends the checks of a session that is stopped. */
  end(sessionId: SessionId): void {
    this.#stops.get(sessionId)?.abort();
    this.#stops.delete(sessionId);
  }

  /** Ends all of them: the runner ends. */
  endAll(): void {
    for (const sessionId of this.#stops.keys()) this.end(sessionId);
  }

  async #start(sessionId: SessionId, request: CheckRequest): Promise<Evidence> {
    const { ports } = this.#deps;
    const session = this.#rooms.sessions.get(sessionId);
    if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
    const { checkout, state } = session.row;
    const engine = ports.findEngine(state.launch);
    if (!checkout || !engine) throw new PilothouseError('checkout_not_found');
    const redactor = createRedactor(await ports.readSecrets(engine, checkout));
    const startedAt = performance.now();
    const { command, timeoutMs } = request;
    const signal = this.#stopOf(sessionId);
    const { exitCode, output } = await ports.check({
      engine,
      checkout,
      command,
      timeoutMs,
      signal,
    });
    return {
      title: request.title,
      command,
      passed: exitCode === 0,
      exitCode,
      durationMs: Math.round(performance.now() - startedAt),
      tail: redactor.text(output).slice(-EVIDENCE_TAIL_CHARS),
    };
  }

  #stopOf(sessionId: SessionId): AbortSignal {
    const stop = this.#stops.get(sessionId) ?? new AbortController();
    this.#stops.set(sessionId, stop);
    return stop.signal;
  }
}
