import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import { KEPT_MS } from '../../protocol/retention.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { OwnCheckout } from '../../runner/guard/checkout.ts';
import { Commands } from '../../runner/link/commands.ts';
import { Outbox } from '../../runner/link/outbox.ts';
import { Store } from '../../runner/link/store.ts';
import type { LaunchPorts } from '../../runner/sessions/launcher.ts';
import { ImageStore } from '../../runner/images/image-store.ts';
import { OutputStore } from '../../runner/sessions/output-store.ts';
import type { SessionDeps } from '../../runner/sessions/session-deps.ts';
import { SESSION_TIMINGS } from '../../runner/sessions/session-state.ts';
import { SessionStore } from '../../runner/sessions/session-store.ts';
import { Supervisor } from '../../runner/sessions/supervisor.ts';
import { UNSEALED } from './launch-ports.ts';
import { anOwnCheckout, aSpool, aStart } from './runner-builders.ts';
import { scriptedEngine } from './scripted-engine.ts';
import { until } from './until.ts';

/** The sessions of a machine that can make no checkout by itself: nothing is ever started. */
export class SessionHouse {
  readonly directory = mkdtempSync(join(tmpdir(), 'pilothouse-house-'));
  readonly store = new Store(':memory:');
  readonly outbox = new Outbox(this.store);
  readonly sessions = new SessionStore(this.store);
  readonly sent = new Map<CommandId, CommandResult>();
  readonly logged: string[] = [];
  readonly images = new ImageStore(this.directory, { url: 'http://127.0.0.1:1', token: 'none' });
  readonly commands: Commands;
  supervisor: Supervisor;
  now = 1_000;
  #ports: Partial<LaunchPorts>;
  /** Runners of before, whose launches may still be looking at the disk. */
  readonly #gone: Supervisor[] = [];

  constructor(ports: Partial<LaunchPorts> = {}) {
    this.#ports = ports;
    this.commands = new Commands({
      store: this.store,
      execute: (command) => this.supervisor.execute(command as never),
      send: (id, result) => void this.sent.set(id, result),
      log: () => undefined,
      now: () => this.now,
    });
    this.supervisor = new Supervisor(this.#deps());
  }

  /** A new runner over the same database. */
  restart(ports: Partial<LaunchPorts> = this.#ports): void {
    this.#ports = ports;
    this.#gone.push(this.supervisor);
    this.supervisor = new Supervisor(this.#deps());
    this.supervisor.adoptAll();
  }

  /** Carries a command out, and answers its result if it has one by then. */
  async receive(command: Command): Promise<CommandResult | null> {
    await this.commands.receive(command);
    await new Promise((resolve) => setImmediate(resolve));
    return this.sent.get(command.id) ?? null;
  }

  /** Leaves a checkout to a session whose launch failed; the next runner finds it. */
  async leaveCheckout(sessionId: SessionId, over: Partial<OwnCheckout> = {}): Promise<void> {
    const launch = { engineId: 'scripted', directory: this.directory, checkout: 'own' as const };
    await this.receive(aStart(sessionId, 'go', launch));
    // A look at an engine that the test has no answer for is never over.
    if (this.#ports.probe) await this.over(sessionId);
    const row = this.sessions.list().find(({ state }) => state.sessionId === sessionId);
    if (!row) throw new Error('the launch left no session');
    this.sessions.save({ ...row, checkout: { ...anOwnCheckout(sessionId), ...over } }, this.now);
  }

  /** Everything that was told of a session. */
  eventsOf(sessionId: SessionId): EngineEvent[] {
    const { lastSeq } = this.outbox.read(sessionId);
    if (lastSeq === 0) return [];
    const { events } = this.outbox.readPage(sessionId, 1, lastSeq, Infinity);
    return events.map((json) => (JSON.parse(json) as { event: EngineEvent }).event);
  }

  /** Waits until a session is over, as one is whose launch failed after a look at the disk. */
  async over(sessionId: SessionId): Promise<void> {
    await until(`${sessionId} to be over`, () =>
      this.sessions
        .list()
        .some(({ state }) => state.sessionId === sessionId && state.phase.kind === 'over'),
    );
  }

  async close(): Promise<void> {
    for (const each of [...this.#gone, this.supervisor]) await each.stop(0);
    this.store.close();
    rmSync(this.directory, { recursive: true });
  }

  #deps(): SessionDeps {
    const pending = () => new Promise<never>(() => undefined);
    return {
      store: this.store,
      outbox: this.outbox,
      sessions: this.sessions,
      commands: { record: (id, progress) => this.commands.record(id, progress) },
      link: { notify: () => undefined, pushDelta: () => undefined, settleDeltas: () => undefined },
      outputs: new OutputStore(join(this.directory, 'outputs')),
      images: this.images,
      ports: {
        findEngine: ({ engineId }) => (engineId === 'scripted' ? scriptedEngine() : null),
        probe: pending,
        listRunning: () => [],
        decideAllowed: () => ({ allowed: true }),
        readKept: () => ({ checkout: KEPT_MS.checkout, output: 1, image: 1 }),
        readFreeBytes: () => Promise.resolve(Infinity),
        allowsTakeover: () => true,
        prepare: pending,
        ...UNSEALED,
        bringBack: () => Promise.resolve([]),
        release: () => Promise.resolve({ removed: true }),
        listLosses: () => Promise.resolve([]),
        listCheckpoints: () => Promise.resolve([]),
        keepCheckpoint: (_, mark) => Promise.resolve({ ...mark, tree: '0'.repeat(40) }),
        listDiffering: () => Promise.resolve([]),
        listIgnored: () => Promise.resolve([]),
        writePatch: () => Promise.reject(new Error('nothing is put back here')),
        review: () => Promise.reject(new Error('nothing is reviewed here')),
        readPatch: () => Promise.reject(new Error('nothing is reviewed here')),
        run: () => Promise.reject(new Error('nothing is landed here')),
        propose: () => Promise.reject(new Error('nothing is landed here')),
        readSecrets: () => Promise.resolve([]),
        ...this.#ports,
      },
      linkTerminal: () => ({ leaseMoved: () => undefined, close: () => undefined }),
      spoolPaths: (id, spawn) => aSpool(this.directory, `${id}-${spawn}`),
      env: {},
      timings: SESSION_TIMINGS,
      log: (_level, message) => void this.logged.push(message),
      now: () => this.now,
      makeUuid: () => '33333333-3333-4333-8333-333333333333',
    };
  }
}
