import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { brainAnswer, type BrainReply, brainTurnOf } from '../../protocol/brain-answer.ts';
import type { CommandParams } from '../../protocol/command.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import type { Engine, EngineLaunch } from '../engines/engine.ts';
import { messageOf } from '../failure.ts';
import { createRedactor } from '../guard/redact.ts';
import { spawnEngine } from '../process/spawn.ts';
import { endLeftovers } from '../process/terminate.ts';
import { placeOfWork, readSecretsAgain } from '../sessions/engine-start.ts';
import type { HeadlessSession } from '../sessions/headless-session.ts';
import { checkLaunch } from '../sessions/check-launch.ts';
import { openModel } from '../sessions/model-way.ts';
import { resolveCredential } from '../sessions/resolve-credential.ts';
import type { SessionDeps } from '../sessions/session-deps.ts';
import { grantOfSession } from '../sessions/spent.ts';
import { decideAskCap } from './ask-cap.ts';
import { awaitAnswer, type Ended, makePlace, takeOutput } from './ask-process.ts';
import { type AskId, type AskProcess, type AskRow, AskStore } from './ask-store.ts';
import { readReply } from './read-reply.ts';

type AskRequest = CommandParams<'brain/ask'>;

export type AskRooms = { sessions: ReadonlyMap<SessionId, HeadlessSession> };

/** The form of an answer: the dialect is known to whoever reads it. */
const { $schema: _dialect, ...SCHEMA } = z.toJSONSchema(brainAnswer);

const LOST: BrainReply = {
  kind: 'undecided',
  problem:
    'The engine was asked, and its answer was lost when the runner ended. What it cost is not known.',
  usage: [],
};

/**
 * Asks engines for the decisions of their own Pilots. Each question is one process, which is asked
 * once: a runner that ends and begins again reads its answer, or says that it is lost.
 */
export class BrainAsks {
  readonly #deps: SessionDeps;
  readonly #rooms: AskRooms;
  readonly #store: AskStore;
  readonly #running = new Map<string, Promise<BrainReply>>();
  /** The last question of each session, which the next one waits for: they share place and mark. */
  readonly #latest = new Map<SessionId, { reply: Promise<BrainReply>; stop: AbortController }>();

  constructor(deps: SessionDeps, rooms: AskRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
    this.#store = new AskStore(deps.store);
  }

  /**
   * Asks, joins the question that is under way, or answers from what is remembered. Throws
   * `session_not_found`, `checkout_not_found`, `brain_engine_unable`, and what a launch is refused with.
   */
  async ask(sessionId: SessionId, request: AskRequest): Promise<BrainReply> {
    const id: AskId = { sessionId, step: request.step };
    const running = this.#running.get(nameOf(id));
    if (running) return running;
    const known = this.#store.find(id)?.reply;
    if (known) return known;
    // One question of a session at a time: what an earlier step wanted to know is of no use now.
    this.end(sessionId);
    return this.#track(id, (signal) => this.#start(id, request, signal));
  }

  /** Reads what engines answered to an earlier runner, and says what is lost. */
  adoptAll(): void {
    for (const row of this.#store.listOpen())
      this.#track(row, (signal) => this.#adopt(row, signal)).catch((error: unknown) => {
        this.#deps.log('error', 'the answer of an engine could not be read', {
          session: row.sessionId,
          reason: messageOf(error),
        });
      });
  }

  /** Ends the question of a session that is stopped. */
  end(sessionId: SessionId): void {
    this.#latest.get(sessionId)?.stop.abort();
  }

  /** Ends all of them: the runner ends, and with it the way to the models. */
  async endAll(): Promise<void> {
    for (const sessionId of this.#latest.keys()) this.end(sessionId);
    await Promise.allSettled(this.#running.values());
  }

  /** Works once nothing of the session's last question runs any more. */
  #track(id: AskId, work: (signal: AbortSignal) => Promise<BrainReply>): Promise<BrainReply> {
    const name = nameOf(id);
    const earlier = this.#latest.get(id.sessionId);
    // Those of an earlier runner are ended together.
    const stop = earlier && !earlier.stop.signal.aborted ? earlier.stop : new AbortController();
    const reply = Promise.allSettled([earlier?.reply])
      .then(() => work(stop.signal))
      .finally(() => {
        if (this.#running.get(name) === reply) this.#running.delete(name);
        if (this.#latest.get(id.sessionId)?.reply === reply) this.#latest.delete(id.sessionId);
      });
    this.#running.set(name, reply);
    this.#latest.set(id.sessionId, { reply, stop });
    return reply;
  }

  async #start(id: AskId, request: AskRequest, signal: AbortSignal): Promise<BrainReply> {
    if (signal.aborted) return WITHDRAWN;
    const { store } = this.#deps;
    const { session, engine } = this.#find(id.sessionId);
    const ready = await this.#prepare(id, request, session, engine);
    store.transaction(() => this.#store.begin(id, this.#deps.now()));
    let begun: Awaited<ReturnType<typeof ready>>;
    try {
      begun = await ready();
    } catch (error) {
      this.#store.forget(id);
      throw error;
    }
    const { process, exited } = begun;
    this.#store.started(id, process);
    return this.#follow(id, process, { signal, exited });
  }

  /** Everything that may be refused, so that only the start itself is left to be done. */
  async #prepare(
    { sessionId, step }: AskId,
    request: AskRequest,
    session: HeadlessSession,
    engine: Engine,
  ): Promise<() => Promise<{ process: AskProcess; exited: Promise<unknown> }>> {
    const { ports, env, makeUuid } = this.#deps;
    const { aside } = engine;
    const { checkout, state } = session.row;
    if (!checkout) throw new PilothouseError('checkout_not_found');
    if (!aside) throw new PilothouseError('brain_engine_unable', { detail: engine.label });
    const wish = { ...state.launch, model: request.model ?? state.launch.model };
    const { found } = await checkLaunch(ports, wish, placeOfWork(checkout, state.launch));
    const directory = ports.asidePlace(sessionId);
    const launch: EngineLaunch = {
      ...found,
      launchId: state.launchId,
      launch: wish,
      directory,
      engineSessionId: makeUuid(),
      resume: false,
    };
    const turn = brainTurnOf(sessionId, step);
    const { system, prompt, grant } = request;
    const cap = decideAskCap(state, grant, found.payer);
    const plan = aside.plan(launch, env, {
      turnId: turn,
      system,
      prompt,
      schema: SCHEMA,
      maxMicroUsd: cap.microUsd,
    });
    makePlace(directory, plan);
    const model = await openModel(this.#deps, engine, session.row, found, cap.gateMicroUsd);
    const allowed = await ports.seal(model ? model.lead(plan) : plan, engine, checkout, found);
    const environments = { machine: env, process: allowed.env };
    const known =
      model?.through === 'gate'
        ? launch
        : await resolveCredential(ports, engine, launch, environments);
    const base = join(dirname(this.#deps.spoolPaths(sessionId, 0).out), `${sessionId}.ask${step}`);
    const paths = {
      out: `${base}.out`,
      err: `${base}.err`,
      input: `${base}.in`,
      exit: `${base}.exit`,
    };
    return async () => {
      const { identity, exited } = await spawnEngine(
        allowed,
        paths,
        markerOf(sessionId),
        engine.nestedVariables,
      );
      const deadlineAt = this.#deps.now() + request.timeoutMs;
      const sealed = allowed.sealed === true;
      const { byGrant } = cap;
      const process = { identity, paths, sealed, launch: known, turnId: turn, deadlineAt, byGrant };
      return { process, exited };
    };
  }

  async #adopt(row: AskRow, signal: AbortSignal): Promise<BrainReply> {
    if (row.process) return this.#follow(row, row.process, { signal });
    await endLeftovers(markerOf(row.sessionId));
    const state = this.#rooms.sessions.get(row.sessionId)?.state;
    const model = state?.launch.model ?? state?.launch.engineId ?? 'unknown';
    return this.#finish(row, { ...LOST, usage: [unsettledOf(model)] });
  }

  async #follow(
    id: AskId,
    process: AskProcess,
    { signal, ...told }: { signal: AbortSignal; exited?: Promise<unknown> },
  ): Promise<BrainReply> {
    const { now, terminateTimings: timings } = this.#deps;
    const marker = markerOf(id.sessionId);
    const ended = await awaitAnswer(process, marker, signal, { timings, ...told });
    const output = takeOutput(process, ended);
    rmSync(process.launch.directory, { recursive: true, force: true });
    const { session, engine } = this.#find(id.sessionId);
    const reply = readReply(engine, { ...process, ...output }, now());
    const secrets = await readSecretsAgain(this.#deps, engine, session.row);
    const safe = createRedactor(secrets).event(endedReply(reply, ended));
    return this.#finish(id, safe, process.byGrant);
  }

  /** Puts the answer on record with what it took: both, or neither. */
  #finish(id: AskId, reply: BrainReply, byGrant = false): BrainReply {
    const session = this.#rooms.sessions.get(id.sessionId);
    const { step } = id;
    return this.#deps.store.transaction(() => {
      session?.brain({ kind: 'brainAnswered', step, entries: reply.usage });
      const told = session?.state.model?.overBudget ? overBudget(reply, byGrant) : reply;
      if (byGrant && session) this.#regrant(session);
      this.#store.finish(id, told);
      return told;
    });
  }

  /** What one question was granted binds no turn, and the gate goes as far as before it. */
  #regrant(session: HeadlessSession): void {
    session.brain({ kind: 'questionOver' });
    const { state } = session;
    this.#deps.ports.grantModel(state.sessionId, grantOfSession(state));
  }

  #find(sessionId: SessionId): { session: HeadlessSession; engine: Engine } {
    const session = this.#rooms.sessions.get(sessionId);
    if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
    const engine = this.#deps.ports.findEngine(session.state.launch);
    if (!engine) throw new PilothouseError('engine_unknown', { detail: sessionId });
    return { session, engine };
  }
}

const nameOf = ({ sessionId, step }: AskId): string => `${sessionId}.${step}`;

/** Another mark than the session's, whose turns end what carries theirs. */
const markerOf = (sessionId: SessionId): string => `brain.${sessionId}`;

const WORDS: Record<Ended, string> = {
  late: 'The engine did not answer in time.',
  stopped: 'The question was withdrawn before the engine answered.',
  too_long: 'The engine wrote without end instead of an answer.',
};

/** To a question that was asked of nobody yet when it was withdrawn. */
const WITHDRAWN: BrainReply = { kind: 'undecided', problem: WORDS.stopped, usage: [] };

const endedReply = (reply: BrainReply, ended: Ended | null): BrainReply =>
  ended === null || reply.kind === 'answered'
    ? reply
    : { kind: 'undecided', problem: WORDS[ended], usage: reply.usage };

/** No call begins any more, so that asking again would change nothing. */
const overBudget = (reply: BrainReply, byGrant: boolean): BrainReply =>
  reply.kind === 'answered'
    ? reply
    : {
        kind: 'unavailable',
        reason: byGrant
          ? 'What the account’s budgets granted does not cover asking the session’s engine for a decision. Give the next instruction yourself, or raise the budget with `pilothouse budget set`.'
          : 'What is left of the session’s budget does not cover asking its engine for a decision. Give the next instruction yourself, or launch again with a larger budget.',
        waitMs: null,
        usage: reply.usage,
      };

const unsettledOf = (model: string): UsageEntry => ({
  model,
  provenance: 'unsettled',
  payer: 'unknown',
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: null,
});
