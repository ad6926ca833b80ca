import { type ErrorCode, PilothouseError } from '../../protocol/errors.ts';
import type { PaneList } from '../../protocol/panes.ts';
import type { ShownTerminal } from '../shown-terminal.ts';
import type { TerminalLink, TerminalLinkOptions } from '../takeover/terminal-link.ts';

/** A terminal of the machine's own, open to be shown. */
export type OpenPane = ShownTerminal & { forbidden(): ErrorCode | null; close(): void };

export type PaneWatchesOptions = {
  list(): Promise<PaneList>;
  /** Opens a terminal. Throws what the limits refuse it with; `drive` asks for keys too. */
  open(target: string, drive: boolean): Promise<OpenPane>;
  link(
    ends: Pick<TerminalLinkOptions, 'path' | 'run' | 'epoch' | 'leased' | 'watched' | 'typed'>,
  ): Pick<TerminalLink, 'close' | 'ended' | 'over'>;
  /** How long a terminal that nobody watches is kept open, and how often the limits are asked, in ms. */
  timings?: { lingerMs: number; checkMs: number };
};

const TIMINGS = { lingerMs: 20_000, checkMs: 2_000 };
/** More than anybody looks at; each holds a client of tmux and a connection. */
const WATCHED_MAX = 50;

type Watch = {
  pane: OpenPane;
  link: ReturnType<PaneWatchesOptions['link']>;
  /** Since when nobody watches (Unix ms); null while somebody does. */
  idleSince: number | null;
};

/** The terminals that are being shown: each for as long as somebody watches it. */
export class PaneWatches {
  readonly #options: PaneWatchesOptions;
  readonly #timings: { lingerMs: number; checkMs: number };
  readonly #watches = new Map<string, Watch>();
  readonly #opening = new Map<string, Promise<void>>();
  /** When somebody last typed into each from the console, Unix ms. */
  readonly #typedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: PaneWatchesOptions) {
    this.#options = options;
    this.#timings = options.timings ?? TIMINGS;
  }

  list(): Promise<PaneList> {
    return this.#options.list();
  }

  /** Shows a terminal from now on. Asked again it goes on; throws what the limits refuse. */
  async watch(target: string, drive: boolean): Promise<void> {
    // Without one under way nothing may come between looking and opening.
    for (let opening = this.#opening.get(target); opening; opening = this.#opening.get(target))
      await opening;
    if (this.#watches.get(target)?.link.over) this.#close(target);
    const shown = this.#watches.get(target);
    if (shown && !drive && shown.pane.forbidden() === null) return;
    if (shown) {
      // Whether it may be driven, or shown by now, is found out as at the first time.
      (await this.#options.open(target, drive)).close();
      return;
    }
    const opening = this.#open(target, drive).finally(() => this.#opening.delete(target));
    this.#opening.set(
      target,
      opening.catch(() => undefined),
    );
    await opening;
  }

  /** When somebody last typed into a terminal from the console, Unix ms; null: nobody did. */
  typedAt(target: string): number | null {
    return this.#typedAt.get(target) ?? null;
  }

  stop(): void {
    this.#stopped = true;
    for (const target of this.#watches.keys()) this.#close(target);
  }

  async #open(target: string, drive: boolean): Promise<void> {
    if (this.#watches.size >= WATCHED_MAX)
      throw new PilothouseError('terminal_unavailable', {
        detail: `${WATCHED_MAX} terminals of this machine are watched already`,
      });
    const pane = await this.#options.open(target, drive);
    if (this.#stopped) return pane.close();
    // Nobody drives until the cloud says so on this connection.
    let epoch: number | null = null;
    const link = this.#options.link({
      path: `panes/link?target=${encodeURIComponent(target)}`,
      run: pane,
      epoch: () => epoch ?? 0,
      leased: (now) => (epoch = now),
      typed: () => void this.#typedAt.set(target, Date.now()),
      watched: (watched) => {
        const watch = this.#watches.get(target);
        if (watch) watch.idleSince = watched ? null : Date.now();
      },
    });
    this.#watches.set(target, { pane, link, idleSince: Date.now() });
    this.#timer ??= setInterval(() => this.#check(Date.now()), this.#timings.checkMs).unref();
  }

  #check(nowMs: number): void {
    for (const [target, { pane, link, idleSince }] of this.#watches) {
      const forbidden = pane.forbidden();
      if (forbidden !== null) link.ended(forbidden);
      const idle = idleSince !== null && nowMs - idleSince >= this.#timings.lingerMs;
      if (forbidden !== null || idle || link.over) this.#close(target);
    }
  }

  #close(target: string): void {
    const watch = this.#watches.get(target);
    this.#watches.delete(target);
    watch?.link.close();
    watch?.pane.close();
    if (this.#watches.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
