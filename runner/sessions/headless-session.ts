import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from '../../protocol/command.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { policyOfSession } from '../../protocol/engine-authority.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import type { Engine, FoundEngine } from '../engines/engine.ts';
import type { GatePush } from '../gate/gate-session.ts';
import type { ProcessIdentity, ProcessRow } from '../process/process-table.ts';
import type { SpoolChunk } from '../process/spool.ts';
import { endLeftovers } from '../process/terminate.ts';
import type { StandingFault } from '../limits/standing.ts';
import { openSession } from './decide-session.ts';
import { adoptEngine, standingOf } from './engine-adopt.ts';
import type { EngineRun } from './engine-run.ts';
import {
  bringBackEvents,
  lookAtRefs,
  prepareEngine,
  readSecretsAgain,
  readSecretsBetween,
  spawnFailure,
  startEngine,
  survivorsNotice,
  tryLimits,
} from './engine-start.ts';
import { attendHeld } from './held-pushes.ts';
import { refusalOf } from './launcher.ts';
import { tellNotTakenUp } from './not-taken-up.ts';
import { isPromptNews } from './prompt-rules.ts';
import { commitPass } from './session-commit.ts';
import type { SessionDeps } from './session-deps.ts';
import type { ExitFacts, SessionInput, StartInput } from './session-io.ts';
import { SessionPass, type LaterEffect } from './session-pass.ts';
import {
  hasProcess,
  isBusy,
  isLeaving,
  nextWakeAt,
  type QueuedTurn,
  type SessionConfig,
  type SessionState,
} from './session-state.ts';
import { SessionTerminal } from './session-terminal.ts';
import { EMPTY_ROW, spoolFiles, type SessionRow } from './session-store.ts';
import { grantOfSession } from './spent.ts';
import { SessionVoice } from './session-voice.ts';
import { WakeTimer } from './wake-timer.ts';

/**
 * One engine conversation and its one driver. A shell: what happens goes through the rules in one
 * transaction, and only what that transaction holds is then done.
 */
export class HeadlessSession {
  readonly #deps: SessionDeps;
  readonly #engine: Engine;
  readonly #config: SessionConfig;
  #row: SessionRow;
  readonly #voice: SessionVoice;
  readonly #wake: WakeTimer;
  #run: EngineRun | null = null;
  readonly #terminal: SessionTerminal;
  #found: FoundEngine | null = null;
  #preparing = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  #disposed = false;

  constructor(deps: SessionDeps, engine: Engine, row: SessionRow) {
    this.#deps = deps;
    this.#engine = engine;
    this.#row = row;
    this.#config = { ...deps.timings, capabilities: engine.capabilities };
    this.#voice = new SessionVoice(deps);
    this.#wake = new WakeTimer(deps.now, () => this.#woken());
    this.#terminal = new SessionTerminal(deps, engine, {
      row: () => this.#row,
      pass: (work) => this.#pass(work, true),
      track: (work) => this.#track(work),
    });
  }

  /** Opens a session, or launches one again that is over. */
  static async start(
    deps: SessionDeps,
    engine: Engine,
    input: StartInput,
    previous: SessionRow | null,
  ): Promise<HeadlessSession> {
    const config = { ...deps.timings, capabilities: engine.capabilities };
    const secrets = await deps.ports.readSecrets(engine, null);
    const opened = openSession(input, previous?.state ?? null, deps.now(), config);
    const row = { ...EMPTY_ROW, ...previous, state: opened.state };
    const session = new HeadlessSession(deps, engine, row);
    session.#voice.learn(secrets);
    session.#pass((pass) => pass.effects(opened.effects), true);
    return session;
  }

  get row(): SessionRow {
    return this.#row;
  }

  get state(): SessionState {
    return this.#row.state;
  }

  /** What it may push: as it was read at the launch, and no more than its engine may. */
  get policy(): MergePolicy {
    return policyOfSession(this.state.launch.policy, this.#engine.capabilities);
  }

  /** Puts on record what the gate did with a push. */
  pushed(push: GatePush): void {
    this.#pass((pass) => pass.input({ kind: 'pushed', push }));
  }

  /** Counts what asking its engine for a decision took, or lets go of what that was granted. */
  brain(input: Extract<SessionInput, { kind: 'brainAnswered' | 'questionOver' }>): void {
    this.#pass((pass) => pass.input(input));
  }

  /** Puts on record what was brought into the person's repository outside of a turn. */
  returned(events: readonly EngineEvent[]): void {
    this.#pass((pass) => pass.input({ kind: 'returned', events }), true);
  }

  /** A turn or a launch is under way: worth looking after. */
  get busy(): boolean {
    return isBusy(this.state);
  }

  /** Nothing of it runs or is under way. */
  get quiet(): boolean {
    return this.#pending.size === 0 && !hasProcess(this.state.phase);
  }

  /** Carries out a command whose whole effect is a change of this session. */
  act(command: Command, input: SessionInput): void {
    this.#pass((pass) => {
      pass.input(input);
      this.#deps.commands.record(command.id, pass.result);
      if (command.epoch > pass.state.epoch) pass.state = { ...pass.state, epoch: command.epoch };
    });
    this.#terminal.leaseMoved();
  }

  /** Why it may not go on by the limits of now; then its engine ends. Throws `limits_unreadable`. */
  async keepToLimits(): Promise<StandingFault | null> {
    const fault = this.#row.checkout && (await this.#deps.ports.findFault(this.#row.checkout));
    if (fault) this.#pass((pass) => pass.input({ kind: 'belowLimits', message: fault.detail }));
    return fault;
  }

  /** Carries on after a restart of the runner. */
  async adopt(): Promise<void> {
    const deps = this.#deps;
    this.#voice.learn(await readSecretsAgain(deps, this.#engine, this.#row));
    const { state, checkout } = this.#row;
    if (checkout && state.phase.kind !== 'over') deps.ports.attend(checkout, this.#engine);
    const run = await adoptEngine(deps, this.#engine, this.#row, this.#handlers());
    this.#run = run;
    if (!run) return this.#pass((pass) => pass.input({ kind: 'adopt', process: 'gone' }));
    const process = standingOf(run, this.#row);
    const held = state.held && { turnId: state.held.turnId, text: state.held.text };
    this.#pass((pass) => {
      const { recall } = this.#engine;
      if (pass.engineState !== null && recall && process === 'reachable')
        pass.engineState = recall(pass.engineState, held, () => run.earlierLines());
      pass.input({ kind: 'adopt', process });
    });
    run.follow();
    await run.caughtUp();
    // Only now is it known what it is at: something new must not be handed into its work.
    if (process === 'reachable') this.#pass((pass) => pass.input({ kind: 'caughtUp' }));
  }

  notTakenUp(reason: string): void {
    this.#row = tellNotTakenUp(this.#deps, this.#row, reason);
  }

  shutdown(): void {
    this.#pass((pass) => pass.input({ kind: 'shutdown' }));
  }

  /** Whether it is over. A failure is told before its process is gone, and a stop asked: waits for that. */
  async isOver(): Promise<boolean> {
    for (let { phase } = this.state; isLeaving(phase); { phase } = this.state) await delay(20);
    return this.state.phase.kind === 'over';
  }

  /** Waits for what is under way, gives the session's row up and changes it no more. */
  async retire(): Promise<SessionRow> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    this.dispose();
    return this.#row;
  }

  /** Nothing that still comes changes this session: its database is about to close. */
  dispose(): void {
    this.#disposed = true;
    this.#wake.set(null);
  }

  /** Its checkout is gone, with its home where it was sealed; a later launch makes a new one. */
  forgetCheckout(sealed: boolean): void {
    this.#row = { ...this.#row, checkout: null };
    this.#pass((pass) => pass.input({ kind: 'checkoutGone', sealed }), true);
  }

  /** Bounds the files of its process, at work or not. */
  capFiles(): void {
    this.#run?.capFiles();
  }

  sweep(table: readonly ProcessRow[]): void {
    this.#terminal.sweep(table);
    const grown = this.#run?.sweep(table) === true;
    if (grown || this.state.model?.through === 'gate') this.#pass(() => undefined, grown);
    const asked = this.#run?.lookForPrompt(this.#engine);
    if (asked !== undefined && isPromptNews(this.state, asked, this.#deps.now()))
      this.#pass((pass) => pass.input({ kind: 'prompted', asked }), true);
  }

  #handlers() {
    return {
      lines: (chunk: SpoolChunk) => this.#lines(chunk),
      exited: (exit: ExitFacts, survivors: readonly ProcessIdentity[]) =>
        this.#exited(exit, survivors),
      written: () => this.#written(),
    };
  }

  #lines(chunk: SpoolChunk): void {
    this.#pass(
      (pass) => {
        if (this.#row.engineState === null) return;
        pass.lines(chunk.lines, chunk.skipped);
        pass.input({ kind: 'spoolGrew', bytes: chunk.size });
      },
      false,
      chunk.offset,
    );
  }

  /** What was recorded as about to be written is written. */
  #written(): void {
    if (this.#disposed) return;
    this.#row = { ...this.#row, unwrittenBytes: 0 };
    this.#deps.sessions.saveWritten(this.state.sessionId);
  }

  #exited(exit: ExitFacts, survivors: readonly ProcessIdentity[]): void {
    const { phase } = this.state;
    const expected = phase.kind === 'ending' || phase.kind === 'interrupting';
    const record = this.#run?.record();
    this.#run = null;
    this.#pass((pass) => {
      if (pass.engineState !== null)
        pass.step(this.#engine.exit(pass.engineState, { ...exit, expected }, this.#deps.now()));
      if (survivors.length > 0) pass.events.push(survivorsNotice(survivors));
      pass.input({ kind: 'exited', exit });
      pass.carried = pass.engineState ?? pass.carried;
      pass.engineState = null;
      if (record) pass.spent.push(...spoolFiles(record));
    }, true);
  }

  /** Stores what `work` makes of the session, all or nothing, and does what it leads to afterwards. */
  #pass(work: (pass: SessionPass) => void, whole = false, spoolOffset: number | null = null): void {
    if (this.#disposed) return;
    const { redactor } = this.#voice;
    const tools = { engine: this.#engine, config: this.#config, redactor };
    const pass = new SessionPass(this.#row, tools, this.#deps.now());
    const process = () => this.#run?.record() ?? null;
    const unwrittenBytes = this.#run?.unwrittenBytes ?? 0;
    const options = { whole, spoolOffset, process, unwrittenBytes };
    const before = this.state.held?.turnId;
    const { row, lastSeq } = commitPass(this.#deps, this.#row, { pass, redactor }, work, options);
    this.#row = row;
    for (const line of pass.writes) this.#run?.write(line);
    for (const signal of pass.signals) this.#run?.signal(signal);
    this.#voice.publish(row.state.sessionId, pass, lastSeq);
    this.#wake.set(nextWakeAt(row.state, this.#config));
    const now = row.state.held?.turnId;
    if (now !== undefined && now !== before) this.#track(this.#learnMore());
    if (row.state.phase.kind === 'preparing' && row.state.afterwards) this.#preparing.abort();
    if (row.state.phase.kind === 'over') this.#deps.ports.leave(row.state.sessionId);
    for (const effect of pass.later) this.#perform(effect);
  }

  #perform(effect: LaterEffect): void {
    switch (effect.kind) {
      case 'settleStart':
        return;
      case 'prepare':
        return this.#track(this.#prepare());
      case 'spawn':
        return this.#track(this.#spawn(effect.turn));
      case 'terminate':
        if (effect.atOnce) this.#run?.kill();
        return this.#run?.terminate(this.#deps.terminateTimings);
      case 'openTerminal':
        return this.#track(this.#terminal.open());
      case 'closeTerminal':
        return this.#terminal.close();
      case 'grantModel':
        return this.#deps.ports.grantModel(this.state.sessionId, grantOfSession(this.state));
      case 'bringBack':
        return this.#track(this.#bringBack(effect.turnId));
      case 'settlePush':
      case 'keepPushes':
        return this.#track(
          attendHeld(this.#deps, this.#row.checkout, effect, (input) =>
            this.#pass((pass) => pass.input(input)),
          ),
        );
      default:
        return effect satisfies never;
    }
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** What the checkout holds of secrets may have changed between two turns of one process. */
  async #learnMore(): Promise<void> {
    this.#voice.learnMore(await readSecretsBetween(this.#deps, this.#engine, this.#row));
  }

  async #prepare(): Promise<void> {
    this.#preparing = new AbortController();
    const { signal } = this.#preparing;
    try {
      const prepared = await prepareEngine(this.#deps, this.#engine, this.#row, signal);
      this.#found = prepared.found;
      this.#row = { ...this.#row, checkout: prepared.checkout };
      this.#voice.learn(prepared.secrets);
      this.#pass((pass) => pass.input({ kind: 'prepared', events: prepared.events }), true);
    } catch (error) {
      this.#pass((pass) => pass.input({ kind: 'refused', refusal: refusalOf(error) }));
    }
    // No process follows whose end would end what a set-up left running.
    if (this.state.phase.kind === 'over') await endLeftovers(this.state.sessionId);
  }

  async #spawn(turn: QueuedTurn | null): Promise<void> {
    try {
      // A login may have been renewed, or changed by hand, since the last process.
      this.#voice.learnMore(await readSecretsAgain(this.#deps, this.#engine, this.#row));
      const started = await startEngine(
        this.#deps,
        this.#engine,
        this.#row,
        turn,
        this.#found,
        this.#handlers(),
      );
      const { run, launch, inputs, before, brief } = started;
      this.#found = null;
      this.#run = run;
      const work = (pass: SessionPass) => {
        for (const input of inputs) pass.input(input);
        pass.step(this.#engine.open(launch, before ?? undefined));
        if (turn && brief) {
          const { turns, chars } = brief;
          pass.events.push({ type: 'turn/briefed', turnId: turn.turnId, turns, chars });
        }
        if (turn)
          pass.step(this.#engine.encodeInstruction(pass.engineState, turn, this.#deps.now()));
        pass.input({ kind: 'submitted', lines: pass.writes.length });
      };
      this.#pass(work, true, 0);
      run.follow();
    } catch (error) {
      this.#found = null;
      this.#pass((pass) => pass.input(spawnFailure(this.#deps, this.state.sessionId, error)));
    }
  }

  async #bringBack(turnId: TurnId): Promise<void> {
    const until = this.#deps.now();
    const events = await bringBackEvents(this.#deps, this.#row.checkout, turnId);
    this.#pass((pass) => pass.input({ kind: 'returned', events }));
    // What the turn left of secrets is known before the next one can show it.
    await this.#learnMore();
    if (this.state.queue.length > 0) await tryLimits(this.#deps, () => this.keepToLimits());
    const seen = await lookAtRefs(this.#deps, this.#row, until);
    const report = seen?.report ?? null;
    this.#pass((pass) => pass.input({ kind: 'broughtBack', events: [], turnId, report }));
    if (!this.#disposed) seen?.keep();
  }

  #woken(): void {
    const stderrTail = this.state.phase.kind === 'booting' ? (this.#run?.stderrTail() ?? []) : [];
    this.#pass((pass) => pass.input({ kind: 'wake', stderrTail }));
  }
}
