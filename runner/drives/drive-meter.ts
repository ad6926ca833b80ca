import type { DriveName, DriveReport } from '../../protocol/drive-report.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { TerminalPane } from '../../protocol/terminal.ts';
import { readRunningClaude } from '../agents/running-claude.ts';
import { messageOf } from '../failure.ts';
import type { Log } from '../log.ts';
import { placeOf, usedBetween } from './conversation.ts';
import { decideClose, decideEnds, decideFollow } from './decide-close.ts';
import type { DriveStore, OpenDrive } from './drive-store.ts';

/** How often it is looked what followed writes came to, in ms; nobody looks while there are none. */
const LOOK_MS = 1_000;
/** How often a report that nobody confirmed is sent again, in ms. */
const AGAIN_MS = 60_000;

export type MeterOptions = {
  store: DriveStore;
  send(report: DriveReport): void;
  log: Log;
  now(): number;
};

/**
 * Follows what operators write into coding agents that keep books of their own, and tells what
 * those say that it cost. It only reads, and what it waits for outlives this process.
 */
export class DriveMeter {
  readonly #options: MeterOptions;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #stopped = false;
  #sentAt = 0;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Goes on with what was followed before. */
  start(): void {
    this.#guarded(() => {
      // Whether these were written is not known any more; what it cost is told once in any case.
      for (const open of this.#options.store.listOpen()) if (!open.written) this.written(open.id);
    });
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Notes where the conversation in a terminal stands, just before something is written to it. */
  async begin(id: CommandId, drive: DriveName, pane: TerminalPane): Promise<void> {
    if (pane.agent?.engine !== 'claude') return;
    const { store, now } = this.#options;
    const { engine, pid } = pane.agent;
    const running = await readRunningClaude(pid);
    if (!running) return;
    const { sessionId, projects } = running;
    const from = (await placeOf(running)) ?? {};
    const begun = { id, drive, engine, pid, sessionId, projects, begunAt: now(), from };
    store.save({ ...begun, until: null, written: false });
    this.#arm();
  }

  /** The terminal took it: the parts of those before it end where this one began. */
  written(id: CommandId): void {
    const { store } = this.#options;
    this.#guarded(() => {
      const open = store.listOpen();
      const taken = open.find((each) => each.id === id);
      if (taken) for (const ended of decideEnds(taken, open)) store.save(ended);
    });
  }

  /** Nothing was written after all. */
  cancel(id: CommandId): void {
    this.#guarded(() => this.#options.store.remove(id));
  }

  /** Sends what nobody has confirmed: a new connection, or one whose other end lost it. */
  sendAll(): void {
    this.#sentAt = this.#options.now();
    for (const report of this.#options.store.listReports()) this.#options.send(report);
  }

  /** The cloud has it. */
  confirmed(id: CommandId): void {
    this.#options.store.remove(id);
  }

  #arm(): void {
    const { store } = this.#options;
    if (this.#timer || this.#looking || this.#stopped) return;
    this.#guarded(() => {
      if (store.listOpen().length === 0 && store.listReports().length === 0) return;
      this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
      this.#timer.unref();
    });
  }

  async #look(): Promise<void> {
    this.#timer = null;
    this.#looking = true;
    try {
      await this.#lookAtAll();
    } catch (error) {
      this.#unreadable(error);
    } finally {
      this.#looking = false;
    }
    this.#arm();
  }

  async #lookAtAll(): Promise<void> {
    const { store, now } = this.#options;
    const all = store.listOpen();
    // Where one is about to be written, it is not known yet where those before it end.
    const unsure = new Set(all.flatMap((each) => (each.written ? [] : [each.sessionId])));
    for (const open of all.filter((each) => !unsure.has(each.sessionId)))
      await this.#lookAt(open).catch((error: unknown) => this.#unreadable(error));
    if (!this.#stopped && now() - this.#sentAt > AGAIN_MS) this.sendAll();
  }

  /** Metering only tells: what goes wrong in it ends nothing else. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): void {
    this.#options.log('warning', 'what a write to a terminal came to could not be read', {
      reason: messageOf(error),
    });
  }

  async #lookAt(open: OpenDrive): Promise<void> {
    const { store, now, send } = this.#options;
    const running = await readRunningClaude(open.pid);
    const { begunAt, until } = open;
    const follow = {
      begunAt,
      superseded: until !== null,
      there: running?.sessionId === open.sessionId,
      status: running?.status ?? null,
      statusAt: running?.statusAt ?? null,
    };
    const followed = decideFollow(follow, now());
    if (followed === 'wait') return;
    const models = await usedBetween(open.from, until ?? (await placeOf(open)) ?? open.from);
    const used = models && models.length > 0;
    const closed = decideClose(followed, used, now() - begunAt);
    if (closed === 'wait' || this.#stopped) return;
    if (closed === 'drop' || !models) return store.remove(open.id);
    const { id, drive, engine } = open;
    const report = { id, drive, engine, at: now(), models };
    if (!store.report(report)) return;
    this.#sentAt = Math.max(this.#sentAt, report.at);
    send(report);
  }
}
