import { PilothouseError } from '../../../protocol/errors.ts';
import { fitSize, type TerminalSize } from '../../../protocol/takeover.ts';
import { PENDING_INPUT_BYTES } from '../../../protocol/terminal-frames.ts';
import type { ShownTerminal, TerminalViewer } from '../../shown-terminal.ts';
import type { Use } from '../tmux/clients.ts';
import type { ControlClient } from '../tmux/control-client.ts';
import { listPanes, type PaneFacts } from '../tmux/panes.ts';
import { type Pane, writeBytes } from '../tmux/write.ts';
import { captureAt } from './capture.ts';

/** Output that waits while a screen is read; what exceeds it is left out, and said: bytes. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** A burst of changes is looked at once, so long after its first, in ms. */
const LOOK_AFTER_MS = 50;
/** How long until tmux is asked again for a client that ended, in ms. */
const AGAIN_MS = 500;
/** Changes of a session after which a pane may be another, elsewhere, or scrolled in. */
const CHANGES =
  /^(layout-change|pane-mode-changed|session-renamed|window-close|unlinked-window-close|window-pane-changed)$/;

type Read = (screen: string, size: TerminalSize) => void;

/**
 * A pane of tmux as it is written. Its program never waits for whoever watches: what cannot be
 * taken is left out, and the screen is shown anew. It takes no size from anybody.
 */
export class LivePane implements ShownTerminal {
  readonly #place: Omit<Pane, 'facts'>;
  #facts: PaneFacts;
  #use: Use;
  #deafen: () => void = () => undefined;
  #viewer: TerminalViewer | null = null;
  #held = false;
  /** Output after the place at which a screen is being read. */
  #waiting: { chunks: Buffer[]; bytes: number } | null = null;
  /** Something was left out since the last screen. */
  #missed = false;
  #reading: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  private constructor({ facts, ...place }: Pane, use: Use) {
    this.#place = place;
    this.#facts = facts;
    this.#use = use;
    this.#listen();
  }

  /** Throws `terminal_unsupported` where looking on would end the session, `terminal_failed` else. */
  static async open(pane: Pane): Promise<LivePane> {
    return new LivePane(pane, await pane.clients.watch(pane.facts));
  }

  get size(): TerminalSize {
    return fitSize(this.#facts);
  }

  /** The name that the pane's session has now. */
  get session(): string {
    return this.#facts.session;
  }

  show(viewer: TerminalViewer | null): void {
    this.#viewer = viewer;
  }

  readScreen(then: Read): void {
    this.#reading = this.#reading
      .then(() => this.#read(then))
      .catch(() => {
        this.#missed = true;
        this.#lookLater(AGAIN_MS);
      });
  }

  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#tellMissed();
  }

  write(keys: Uint8Array): number {
    const bytes = Buffer.from(keys);
    // Where somebody scrolls, keys would reach tmux and not the program.
    const nowhere = this.#closed || this.#facts.dead || this.#facts.inMode;
    if (nowhere || this.#pendingBytes + bytes.byteLength > PENDING_INPUT_BYTES)
      return bytes.byteLength;
    this.#pendingBytes += bytes.byteLength;
    this.#writing = this.#writing
      .then(() => writeBytes({ ...this.#place, facts: this.#facts }, bytes))
      .catch(() => this.#lookLater())
      .finally(() => (this.#pendingBytes -= bytes.byteLength));
    return 0;
  }

  /** A window that looks on changes no pane of a person's. */
  resize(): void {
    return;
  }

  close(): void {
    this.#closed = true;
    this.#viewer = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#deafen();
    this.#use.done();
  }

  #listen(): void {
    const { client } = this.#use;
    const stops = [
      client.onOutput((pane, data) => {
        if (pane === this.#facts.pane) this.#output(data);
      }),
      client.onNotice((name) => {
        if (CHANGES.test(name)) this.#lookLater();
      }),
    ];
    this.#deafen = () => stops.forEach((stop) => stop());
    void client.closed.then(() => this.#lost(client));
  }

  #lost(client: ControlClient): void {
    if (client !== this.#use.client || this.#closed) return;
    this.#missed = true;
    this.#lookLater();
  }

  #output(data: Buffer): void {
    const waiting = this.#waiting;
    if (waiting && waiting.bytes + data.byteLength <= WAITING_BYTES) {
      waiting.chunks.push(data);
      waiting.bytes += data.byteLength;
    } else if (waiting || this.#held) this.#missed = true;
    else this.#viewer?.output(data);
  }

  async #read(then: Read): Promise<void> {
    if (this.#closed) return;
    const { client } = this.#use;
    try {
      const { data, size } = await captureAt(
        this.#place.server,
        client,
        this.#facts.pane,
        () => (this.#waiting = { chunks: [], bytes: 0 }),
      );
      then(data, size);
    } finally {
      const chunks = this.#waiting?.chunks ?? [];
      this.#waiting = null;
      for (const chunk of chunks) this.#output(chunk);
    }
    if (!this.#held) this.#tellMissed();
  }

  #tellMissed(): void {
    if (!this.#missed || this.#waiting) return;
    this.#missed = false;
    this.#viewer?.resync();
  }

  #lookLater(afterMs = LOOK_AFTER_MS): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#look().catch(() => this.#lookLater(AGAIN_MS));
    }, afterMs);
  }

  /** Looks at the pane anew: it may have another size, be in another session, or be gone. */
  async #look(): Promise<void> {
    const before = this.#facts;
    const now = (await listPanes(this.#place.server)).find(
      ({ server, pane }) => server === before.server && pane === before.pane,
    );
    if (this.#closed) return;
    if (!now) return this.#viewer?.ended('terminal_gone');
    this.#facts = now;
    const moved = now.sessionId !== before.sessionId || this.#use.client.ended;
    if (moved) await this.#follow(now);
    const resized = now.columns !== before.columns || now.rows !== before.rows;
    if (moved || resized) this.#missed = true;
    this.#tellMissed();
  }

  async #follow(now: PaneFacts): Promise<void> {
    try {
      const use = await this.#place.clients.watch(now);
      if (this.#closed) return use.done();
      this.#deafen();
      this.#use.done();
      this.#use = use;
      this.#listen();
    } catch (error) {
      if (error instanceof PilothouseError && error.code === 'terminal_unsupported')
        return this.#viewer?.ended(error.code);
      throw error;
    }
  }
}
