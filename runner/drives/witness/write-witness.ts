import { mkdirSync } from 'node:fs';
import type { DriveName } from '../../../protocol/drive-report.ts';
import type { DriveEnd, DriveWatch, DriveWitness } from '../../../protocol/drive-witness.ts';
import type { CommandId, InstanceId } from '../../../protocol/ids.ts';
import { terminalRan, type TerminalCall, type TerminalPane } from '../../../protocol/terminal.ts';
import type { TerminalScope } from '../../../protocol/terminal-command.ts';
import { readRunningClaude } from '../../agents/running-claude.ts';
import { messageOf } from '../../failure.ts';
import type { Log } from '../../log.ts';
import { compareRefs, headOfRepository } from '../../witness/compare.ts';
import { Looks } from '../../witness/looks.ts';
import { readPlaces, type Places } from '../../witness/places.ts';
import type { Snapshot } from '../../witness/snapshot.ts';
import { BESIDE_MAX, besideOf } from './beside.ts';
import { decideEnd } from './decide-end.ts';
import { isNews, judgeWrite } from './judge-write.ts';
import type { OpenWrite, WriteStore } from './open-write.ts';

/** How often it is looked whether what was written is over, in ms; nobody looks while there is nothing. */
const LOOK_MS = 2_000;
/** How often a report that nobody confirmed is sent again, in ms. */
const AGAIN_MS = 60_000;
/** How long a write waits for remotes to say where their refs are; later ones are not compared. */
const BEFORE_MS = 3_000;

export type WriteWitnessOptions = {
  store: WriteStore;
  /** An empty directory of the runner's, which remotes are asked from. */
  neutral: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  now(): number;
  send(report: DriveWitness): void;
  /** Branches of a repository that this machine's own limits protect. */
  fixedBranches(top: string): readonly string[];
  findPane(target: string, scope: TerminalScope): Promise<TerminalPane | null>;
  /** When a person last typed in a terminal, Unix ms; null: never, that anything shows. */
  typedAt(target: string): Promise<number | null>;
};

/** A write that is about to be made. */
export type Writing = {
  id: CommandId;
  drive: DriveName;
  watch: DriveWatch;
  call: TerminalCall;
  scope: TerminalScope;
  /** The terminal as it is; null: it is made by the call. */
  pane: TerminalPane | null;
};

/**
 * Compares where the refs are before an operator writes into a terminal that stands in a repository
 * with where they are once that had its effect. What it waits for outlives this process.
 */
export class WriteWitness {
  readonly #options: WriteWitnessOptions;
  readonly #looks = new Map<string, Looks>();
  readonly #closing = new Map<CommandId, Promise<Closed | null>>();
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #stopped = false;
  #sentAt = 0;

  constructor(options: WriteWitnessOptions) {
    this.#options = options;
  }

  /** Goes on with what was followed before. */
  start(): void {
    const { store, now } = this.#options;
    this.#guarded(() => {
      for (const open of store.listOpen())
        store.save({ ...open, restarted: true, writtenAt: open.writtenAt ?? now() });
    });
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Whether an instance did what is forbidden, and the cloud does not know it yet. */
  isHeld(instanceId: InstanceId): boolean {
    const reports = this.#options.store.listReports();
    return reports.some(
      ({ drive, breaches }) => drive.instanceId === instanceId && breaches.length > 0,
    );
  }

  /**
   * Notes where the refs are, just before something is written. Whatever was written to the same
   * terminal before is looked at first. Never throws: a look that fails keeps nobody from writing.
   */
  async begin(writing: Writing): Promise<void> {
    try {
      await this.#begin(writing);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The terminal took it; `value` is what it answered. */
  written(id: CommandId, value: unknown): void {
    this.#guarded(() => this.#written(id, value));
  }

  #written(id: CommandId, value: unknown): void {
    const { store, now } = this.#options;
    const open = this.#find(id);
    if (!open) return;
    const ran = terminalRan.safeParse(value).data;
    const target = ran?.target ?? open.target ?? madeIn(value);
    const succeeded = ran?.status === 'ended' && ran.exitCode === 0;
    const taken = { ...open, writtenAt: now(), target, succeeded };
    store.save(taken);
    if (ran && ran.status !== 'running') void this.#close(taken, 'ended');
    else this.#arm();
  }

  /** Nothing was written after all. */
  cancel(id: CommandId): void {
    this.#guarded(() => this.#options.store.remove(id));
  }

  /** Sends what nobody has confirmed: a new connection, or one whose other end lost it. */
  sendAll(): void {
    const { store, now, send } = this.#options;
    this.#sentAt = now();
    for (const report of store.listReports()) send(report);
  }

  /** The cloud has it. */
  confirmed(id: CommandId): void {
    this.#options.store.remove(id);
  }

  #find(id: CommandId): OpenWrite | null {
    return this.#options.store.listOpen().find((each) => each.id === id) ?? null;
  }

  async #begin({ id, drive, watch, call, scope, pane }: Writing): Promise<void> {
    const { store, now } = this.#options;
    const target = pane?.target ?? null;
    const others = store.listOpen().filter((each) => target !== null && each.target === target);
    const closed = await Promise.all(others.map((each) => this.#close(each, 'written')));
    const directory = pane?.directory ?? directoryOf(call);
    const places = directory === null ? null : await this.#placesOf(directory);
    if (directory === null || !places) return;
    const { top } = places;
    const last = closed.findLast((each) => each?.top === top);
    const begunAt = now();
    const before = last?.snapshot ?? (await this.#look(places, BEFORE_MS));
    const shared = this.#markShared(top, drive.instanceId);
    const told = { pane: target, writtenAt: null, succeeded: false, restarted: false, beside: [] };
    store.save({
      id,
      drive,
      watch,
      scope,
      target,
      begunAt,
      shared,
      directory,
      places,
      before,
      ...told,
    });
  }

  /** Whether another instance is at work in a repository too; both cannot be told apart then. */
  #markShared(top: string, instanceId: InstanceId): boolean {
    const { store } = this.#options;
    const others = store
      .listOpen()
      .filter((each) => each.places.top === top && each.drive.instanceId !== instanceId);
    for (const other of others) store.save({ ...other, shared: true });
    return others.length > 0;
  }

  /** The other writes of the same operator in the same repository that are followed now. */
  #besides({ id, drive, places }: OpenWrite): OpenWrite[] {
    return this.#options.store
      .listOpen()
      .filter(
        (each) =>
          each.id !== id &&
          each.places.top === places.top &&
          each.drive.instanceId === drive.instanceId,
      );
  }

  async #placesOf(directory: string): Promise<Places | null> {
    const { neutral } = this.#options;
    mkdirSync(neutral, { recursive: true, mode: 0o700 });
    return readPlaces({ mode: 'inPlace', directory }, neutral);
  }

  #look(places: Places, timeoutMs?: number): Promise<Snapshot> {
    const { env, now } = this.#options;
    const looks = this.#looks.get(places.top) ?? new Looks(env, now);
    this.#looks.set(places.top, looks);
    return looks.look(places, { brought: () => Promise.resolve([]), timeoutMs });
  }

  /** Looks at what a write came to and tells it; asked again meanwhile, it is the same look. */
  #close(open: OpenWrite, end: DriveEnd): Promise<Closed | null> {
    const known = this.#closing.get(open.id);
    if (known) return known;
    const closing = this.#compare(open, end)
      .catch((error: unknown) => {
        this.#failed(error);
        return null;
      })
      .finally(() => this.#closing.delete(open.id));
    this.#closing.set(open.id, closing);
    return closing;
  }

  async #compare(open: OpenWrite, end: DriveEnd): Promise<Closed> {
    const { store, now, send, fixedBranches, typedAt } = this.#options;
    const { id, drive, watch, places, before, directory, begunAt } = open;
    const after = await this.#look(places);
    const terminals = [...new Set([open.pane, open.target])].filter((each) => each !== null);
    const typed = await Promise.all(terminals.map(typedAt));
    const at = now();
    const rules = { ...watch.policy, fixedBranches: fixedBranches(places.top) };
    const window = { from: begunAt, until: at };
    const checkout = { mode: 'inPlace' as const, directory };
    const found = await compareRefs({ checkout, places, before, after, window, rules });
    // Another operator may have begun since.
    const current = this.#find(id) ?? open;
    const { shared, restarted, succeeded } = current;
    const others = this.#besides(open);
    const judged = judgeWrite({
      ...drive,
      watch,
      succeeded,
      found: { ...found, top: places.top, head: headOfRepository(after) },
      rules,
      company: {
        typed: typed.some((each) => each !== null && each >= toSecond(begunAt)),
        shared,
        restarted,
        end,
      },
      beside: [
        ...current.beside,
        ...others.map((each) => besideOf(each.drive, each.watch, each.succeeded, null)),
      ],
    });
    const told = besideOf(drive, watch, succeeded, judged);
    for (const each of others)
      store.save({ ...each, beside: [...each.beside, told].slice(-BESIDE_MAX) });
    const { sources } = watch;
    const report = { id, drive, at, end, sources, directory: places.top, ...judged };
    if (!isNews(judged)) store.remove(id);
    else if (store.report(report)) {
      this.#sentAt = Math.max(this.#sentAt, at);
      send(report);
      this.#arm();
    }
    return { top: places.top, snapshot: after };
  }

  #arm(): void {
    const { store } = this.#options;
    if (this.#timer || this.#looking || this.#stopped) return;
    this.#guarded(() => {
      if (store.listOpen().length === 0 && store.listReports().length === 0) return;
      this.#timer = setTimeout(() => void this.#lookAtAll(), LOOK_MS);
      this.#timer.unref();
    });
  }

  async #lookAtAll(): Promise<void> {
    this.#timer = null;
    this.#looking = true;
    const { store, now } = this.#options;
    try {
      for (const open of store.listOpen()) {
        const end = await this.#endOf(open);
        if (this.#stopped) return;
        if (end) await this.#close(open, end);
      }
      if (!this.#stopped && now() - this.#sentAt > AGAIN_MS) this.sendAll();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#looking = false;
    }
    this.#arm();
  }

  async #endOf({ target, scope, writtenAt }: OpenWrite): Promise<DriveEnd | null> {
    if (writtenAt === null) return null;
    const { findPane, now } = this.#options;
    const pane = target === null ? null : await findPane(target, scope);
    const claude =
      pane?.agent?.engine === 'claude' ? await readRunningClaude(pane.agent.pid) : null;
    const idleSince = claude?.status === 'idle' ? claude.statusAt : null;
    const tells = claude !== null && claude.status !== null;
    return decideEnd({ writtenAt, state: pane?.state ?? null, idleSince, tells }, now());
  }

  /** A look only tells: what goes wrong in it keeps nobody from writing. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    // What is cut short by the runner's own end is taken up when it starts again.
    if (this.#stopped) return;
    this.#options.log('warning', 'the refs around a write to a terminal could not be compared', {
      reason: messageOf(error),
    });
  }
}

/** Of some terminals it is known in whole seconds when somebody typed. */
const toSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** A look that ended one write, and from which the next begins. */
type Closed = { top: string; snapshot: Snapshot };

const directoryOf = (call: TerminalCall): string | null =>
  call.tool === 'tmux_create_session' ? call.params.directory : null;

/** The first pane of a session that was made. */
function madeIn(value: unknown): string | null {
  const panes = (value as { panes?: { target?: unknown }[] } | null)?.panes;
  const target = panes?.[0]?.target;
  return typeof target === 'string' ? target : null;
}
