import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SEND_LIMITS } from '../protocol/delivery.ts';
import type { EngineReadiness } from '../protocol/machine.ts';
import { backendOf, type TerminalCapabilities } from '../protocol/terminal.ts';
import type { RefusalReason } from '../protocol/version.ts';
import { messageOf } from './failure.ts';
import { Commands } from './link/commands.ts';
import { DeltaBuffer } from './link/deltas.ts';
import { Link, LINK_TIMINGS, type LinkOptions } from './link/link.ts';
import { Outbox } from './link/outbox.ts';
import { Sender } from './link/sender.ts';
import { SetAside } from './link/set-aside.ts';
import { Store } from './link/store.ts';
import type { Log } from './log.ts';
import { readMachineFacts, withoutExecutable } from './machine.ts';
import { probeEngines } from './engines/registry.ts';
import { executeCommand, secretsOfTerminals } from './execute-command.ts';
import { DriveMeter } from './drives/drive-meter.ts';
import { DriveStore } from './drives/drive-store.ts';
import { findPane, type TerminalDoor } from './terminal-door.ts';
import { WriteStore } from './drives/witness/open-write.ts';
import { WriteWitness } from './drives/witness/write-witness.ts';
import { allowsModelGate, findRepositoryLimits, readMachineLimits, readStartMs } from './limits.ts';
import { examineTerminals } from './terminal/examine.ts';
import { locateAgent } from './terminal/locate-agent.ts';
import { executeTerminalCall } from './terminal/execute.ts';
import { openTerminals, stopTerminals, type Terminals } from './terminal/registry.ts';
import { TerminalKeeper } from './terminal/survive/keeper.ts';
import { listWatchable, watchTerminal } from './terminal/watch.ts';
import type { RunnerConfig } from './config.ts';
import type { TerminateTimings } from './process/terminate.ts';
import { portsPath, sessionPath } from './egress/files.ts';
import { PaneWatches } from './panes/pane-watches.ts';
import { QuestionDesk } from './questions/question-desk.ts';
import { QuestionStore } from './questions/question-store.ts';
import { readTokenKey } from './questions/question-token.ts';
import { hookedHere, startingWith } from './questions/start-agent.ts';
import { questionSocketOf } from './terminal-socket.ts';
import { Previews } from './preview/previews.ts';
import { ImageStore } from './images/image-store.ts';
import { OutputStore } from './sessions/output-store.ts';
import { createLaunchPorts } from './sessions/ports.ts';
import type { LaunchPorts } from './sessions/launcher.ts';
import { SESSION_TIMINGS, type SessionConfig } from './sessions/session-state.ts';
import { SessionStore } from './sessions/session-store.ts';
import { Supervisor } from './sessions/supervisor.ts';
import { TerminalLink } from './takeover/terminal-link.ts';

export type DaemonOptions = {
  config: RunnerConfig;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** The server will not have this runner; connecting again cannot help. */
  onRefused(reason: RefusalReason, sentence: string): void;
  /** Narrower than the real ones in tests. */
  ports?: LaunchPorts;
  timings?: Partial<Omit<SessionConfig, 'capabilities'>>;
  terminateTimings?: TerminateTimings;
  link?: Pick<LinkOptions, 'timings' | 'backoff'>;
};

/** Most that a stop waits for engines to end, and then for the last words to be stored. */
const STOP_ENGINES_MS = 12_000;
const STOP_FLUSH_MS = 2_000;

/**
 * The runner: puts its parts together and holds none of their logic. Construction opens the
 * database and throws `StoreLockedError` when another runner has it.
 */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #store: Store;
  readonly #outbox: Outbox;
  readonly #sender: Sender;
  readonly #commands: Commands;
  readonly #link: Link;
  readonly #ports: LaunchPorts;
  readonly #supervisor: Supervisor;
  readonly #terminals: Terminals;
  readonly #keeper: TerminalKeeper;
  readonly #panes: PaneWatches;
  readonly #previews: Previews;
  readonly #meter: DriveMeter;
  readonly #questions: QuestionDesk;
  readonly #writes: WriteWitness;
  #engines: readonly EngineReadiness[] = [];
  /** Of the terminals that are open here; null until they were looked at. */
  #capabilities: readonly TerminalCapabilities[] | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: DaemonOptions) {
    this.#options = options;
    const { config, env, log } = options;
    const root = config.layout.runner;
    for (const name of ['spools', 'outputs'])
      mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
    this.#store = new Store(join(root, 'runner.db'));
    this.#outbox = new Outbox(this.#store);
    const door: TerminalDoor = (call, scope, starter) => {
      const start = starter ? startingWith(this.#questions.hookingFor(starter)) : null;
      const { terminal } = readMachineLimits(env);
      return executeTerminalCall(call, terminal, this.#terminals, scope, start);
    };
    const deltas = new DeltaBuffer();
    const aside = new SetAside(join(root, 'set-aside'));
    this.#sender = new Sender(this.#outbox, SEND_LIMITS, aside);
    const outputs = new OutputStore(join(root, 'outputs'));
    const images = new ImageStore(root, config);
    this.#commands = new Commands({
      store: this.#store,
      execute: (command) =>
        executeCommand(command, {
          supervisor: this.#supervisor,
          outputs,
          panes: this.#panes,
          previews: this.#previews,
          env,
          door,
          meter: this.#meter,
          questions: this.#questions,
          writes: this.#writes,
          handed: ({ id }) => this.#commands.record(id, 'handed'),
          lookAtEngines: () => this.#lookAtEngines(),
        }),
      send: (id, result) => this.#link.sendResult(id, result),
      log,
      now: Date.now,
    });
    this.#link = new Link({
      url: config.url,
      runnerId: config.runnerId,
      token: config.token,
      outbox: this.#outbox,
      sender: this.#sender,
      deltas,
      aside,
      machine: () => readMachineFacts(env, this.#engines, this.#capabilities),
      onCommand: (command) => void this.#commands.receive(command),
      onAcked: (stream) => this.#supervisor.acked(stream),
      onReady: () => {
        this.#meter.sendAll();
        this.#questions.sendAll();
        this.#writes.sendAll();
      },
      onDriveReported: (id) => this.#meter.confirmed(id),
      onDriveWitnessed: (id) => this.#writes.confirmed(id),
      onQuestionKept: (kept) => this.#questions.kept(kept),
      onRefused: options.onRefused,
      log,
      now: Date.now,
      chance: Math.random,
      ...options.link,
    });
    this.#meter = new DriveMeter({
      store: new DriveStore(this.#store, log),
      send: (report) => this.#link.sendDriveReport(report),
      log,
      now: Date.now,
    });
    this.#writes = new WriteWitness({
      store: new WriteStore(this.#store, log),
      neutral: join(root, 'witness', 'empty'),
      env,
      log,
      now: Date.now,
      send: (report) => this.#link.sendDriveWitness(report),
      fixedBranches: (top) =>
        findRepositoryLimits(readMachineLimits(env), top)?.protectedBranches ?? [],
      findPane: (target, scope) => findPane(target, scope, door),
      typedAt: (target) => whenTyped(target, this.#panes, this.#terminals),
    });
    this.#ports = options.ports ?? createLaunchPorts(root, env, log);
    this.#supervisor = new Supervisor({
      store: this.#store,
      outbox: this.#outbox,
      sessions: new SessionStore(this.#store),
      commands: this.#commands,
      link: {
        notify: (sessionId, lastSeq) => this.#link.notify(sessionId, lastSeq),
        pushDelta: (delta) => this.#link.pushDelta(delta),
        settleDeltas: (sessionId, event) => deltas.settle(sessionId, event),
      },
      outputs,
      images,
      linkTerminal: (sessionId, run, epoch) =>
        new TerminalLink({
          ...config,
          path: `terminals/${sessionId}`,
          run,
          epoch,
          timings: options.link?.timings ?? LINK_TIMINGS,
          log,
          chance: Math.random,
        }),
      ports: this.#ports,
      spoolPaths: (sessionId, spawn) => {
        const base = join(root, 'spools', `${sessionId}.${spawn}`);
        return {
          out: `${base}.out`,
          err: `${base}.err`,
          input: `${base}.in`,
          exit: `${base}.exit`,
        };
      },
      env,
      timings: {
        ...SESSION_TIMINGS,
        // Read when a session is opened, so that a limit which is changed holds for the next one.
        get bootstrapMs() {
          return readStartMs(env);
        },
        ...options.timings,
      },
      ...(options.terminateTimings && { terminateTimings: options.terminateTimings }),
      log,
      now: Date.now,
      makeUuid: randomUUID,
    });
    const limits = () => readMachineLimits(env).terminal;
    const place = join(root, 'terminal');
    this.#terminals = openTerminals(place, env, limits, (pid) => this.#questions.isAsking(pid));
    this.#questions = new QuestionDesk({
      store: new QuestionStore(this.#store, log),
      socketPath: questionSocketOf(place),
      agentsRoot: join(place, 'agents'),
      key: readTokenKey(place),
      secrets: () => secretsOfTerminals(env),
      locate: (pids) => locateAgent(this.#terminals, limits(), pids),
      hooked: () => hookedHere(this.#engines),
      send: (question) => this.#link.sendPaneQuestion(question),
      log,
      now: Date.now,
    });
    this.#keeper = new TerminalKeeper(this.#terminals.own, limits, log);
    this.#panes = new PaneWatches({
      list: () => listWatchable(limits(), this.#terminals),
      open: (target, drive) => watchTerminal(target, drive, limits, this.#terminals),
      link: (ends) =>
        new TerminalLink({
          ...config,
          ...ends,
          timings: options.link?.timings ?? LINK_TIMINGS,
          log,
          chance: Math.random,
        }),
    });
    this.#previews = new Previews({
      allowed: () => readMachineLimits(env).preview,
      portsOf: (sessionId) => portsPath(sessionPath(join(root, 'egress'), sessionId)),
      isKnown: (sessionId) => this.#supervisor.knows(sessionId),
      now: Date.now,
    });
    this.#commands.prune();
  }

  /**
   * Connects and takes up its sessions. The connection does not wait for either: looking at the
   * engines and reading what was left behind go on beside it.
   */
  start(): void {
    this.#link.start();
    this.#supervisor.adoptAll();
    this.#keeper.start();
    this.#meter.start();
    this.#questions.start();
    this.#writes.start();
    void this.#lookAtEngines();
  }

  /** Ends every engine, gives the cloud the last words, and closes. Asking again waits for the same. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#keeper.stop();
    this.#meter.stop();
    this.#questions.stop();
    this.#writes.stop();
    this.#panes.stop();
    this.#previews.close();
    stopTerminals(this.#terminals);
    await this.#supervisor.stop(STOP_ENGINES_MS);
    const until = Date.now() + STOP_FLUSH_MS;
    while (this.#link.connected && this.#sender.list().length > 0 && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.#ports.close();
    this.#link.stop('the runner stops');
    this.#store.close();
  }

  async #lookAtEngines(): Promise<readonly EngineReadiness[]> {
    const { env } = this.#options;
    const [engines, capabilities] = await Promise.all([
      probeEngines(env, { modelGate: allowsModelGate(env) }),
      this.#lookAtTerminals(),
    ]);
    this.#capabilities = capabilities;
    this.#engines = engines.map(withoutExecutable);
    this.#link.sendMachine();
    return this.#engines;
  }

  /** None where the limits cannot be read: every call to a terminal is refused then. */
  async #lookAtTerminals(): Promise<readonly TerminalCapabilities[]> {
    const { env, log } = this.#options;
    try {
      const limits = readMachineLimits(env).terminal;
      return (await examineTerminals(limits, this.#terminals)).capabilities;
    } catch (error) {
      log('warning', 'the terminals could not be looked at', { reason: messageOf(error) });
      return [];
    }
  }
}

/** When a person last typed in a terminal, from the console or in front of it; null: nothing shows it. */
async function whenTyped(
  target: string,
  panes: PaneWatches,
  { tmux }: Terminals,
): Promise<number | null> {
  const known = backendOf(target) === tmux.backend;
  const there = known ? await tmux.typedAt(target).catch(() => null) : null;
  const times = [panes.typedAt(target), there].filter((at) => at !== null);
  return times.length > 0 ? Math.max(...times) : null;
}
