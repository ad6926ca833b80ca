import type { Socket } from 'node:net';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { PreviewList, PreviewOpened } from '../../protocol/preview.ts';
import { Dialer } from './dial.ts';
import { findListeners, type Listener } from './listeners.ts';
import { Forward } from './forward.ts';

/** Previews of a machine at a time; the one that was used longest ago makes room. */
const PREVIEWS_MAX = 8;
/** A preview that nobody used for so long is closed, in ms. */
const UNUSED_MS = 30 * 60_000;
/** How often that is looked for, in ms. */
const SWEEP_MS = 60_000;
/**
 * Who listens is found by a look at every process of the machine, which one page's connections share
 * for so long, in ms. Whether who was found still runs is asked at each of them.
 */
export const SHARED_MS = 400;
/** Ports of a session that are told. */
const PORTS_MAX = 50;

type Preview = { sessionId: SessionId; port: number; forward: Forward; usedAt: number };

export type PreviewOptions = {
  /** Whether the machine's own limits let a server of a session be shown. Throws `limits_unreadable`. */
  allowed(): boolean;
  /** The directory of the ports of a session in a network of its own. */
  portsOf(sessionId: SessionId): string;
  isKnown(sessionId: SessionId): boolean;
  now(): number;
};

/** What listeners of sessions were found a moment ago. */
export class SharedLooks {
  readonly #look: (sessionId: SessionId) => readonly Listener[];
  readonly #now: () => number;
  readonly #seen = new Map<SessionId, { at: number; listeners: readonly Listener[] }>();

  constructor(look: (sessionId: SessionId) => readonly Listener[], now: () => number) {
    this.#look = look;
    this.#now = now;
  }

  /** Who listens on a port of a session; null where nobody does. */
  find(sessionId: SessionId, port: number): Listener | null {
    const at = this.#now();
    for (const [id, seen] of this.#seen)
      // A clock that was set back has nothing to say of what is older.
      if (at - seen.at >= SHARED_MS || at < seen.at) this.#seen.delete(id);
    const seen = this.#seen.get(sessionId) ?? { at, listeners: this.#look(sessionId) };
    this.#seen.set(sessionId, seen);
    return seen.listeners.find((each) => each.port === port) ?? null;
  }
}

/** The servers that sessions of this machine run, and the ways to them that are open. */
export class Previews {
  readonly #options: PreviewOptions;
  readonly #dialer: Dialer;
  readonly #looks: SharedLooks;
  readonly #open: Preview[] = [];
  readonly #sweep: NodeJS.Timeout;

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#looks = new SharedLooks(findListeners, options.now);
    this.#dialer = new Dialer(options.portsOf);
    this.#sweep = setInterval(() => this.#closeUnused(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Throws `preview_not_allowed` and `session_not_found`. */
  list(sessionId: SessionId): PreviewList {
    this.#require(sessionId);
    const items = findListeners(sessionId).slice(0, PORTS_MAX);
    return {
      items: items.map(({ port, program, network }) => ({
        port,
        program: program.slice(0, 60),
        ownNetwork: network !== null,
      })),
    };
  }

  /**
   * Opens a way to a port that a process of the session listens on, or finds the one that is open.
   * Throws as {@link list}, and `preview_port_gone`.
   */
  async open(sessionId: SessionId, port: number): Promise<PreviewOpened> {
    this.#require(sessionId);
    if (!findListeners(sessionId).some((each) => each.port === port))
      throw new PilothouseError('preview_port_gone', { detail: `port ${port}` });
    const known = this.#open.find((each) => each.sessionId === sessionId && each.port === port);
    if (known) return { port, url: known.forward.url };
    while (this.#open.length >= PREVIEWS_MAX) this.#close(leastUsed(this.#open));
    const preview: Preview = {
      sessionId,
      port,
      usedAt: this.#options.now(),
      forward: await Forward.listen({
        dial: () => this.#dial(sessionId, port),
        used: () => void (preview.usedAt = this.#options.now()),
      }),
    };
    this.#open.push(preview);
    return { port, url: preview.forward.url };
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const { forward } of this.#open.splice(0)) forward.close();
    this.#dialer.close();
  }

  /** Who listens is asked for each connection: a port that another program has by now leads nowhere. */
  async #dial(sessionId: SessionId, port: number): Promise<Socket> {
    this.#require(sessionId);
    const listener = this.#looks.find(sessionId, port);
    if (!listener) throw new PilothouseError('preview_port_gone', { detail: `port ${port}` });
    return this.#dialer.dial(sessionId, listener);
  }

  #require(sessionId: SessionId): void {
    if (!this.#options.allowed()) throw new PilothouseError('preview_not_allowed');
    if (!this.#options.isKnown(sessionId))
      throw new PilothouseError('session_not_found', { detail: sessionId });
  }

  #closeUnused(): void {
    const before = this.#options.now() - UNUSED_MS;
    for (const preview of this.#open.filter(({ usedAt }) => usedAt < before)) this.#close(preview);
  }

  #close(preview: Preview | undefined): void {
    if (!preview) return;
    this.#open.splice(this.#open.indexOf(preview), 1);
    preview.forward.close();
  }
}

const leastUsed = (previews: readonly Preview[]): Preview | undefined =>
  previews.toSorted((one, other) => one.usedAt - other.usedAt)[0];
