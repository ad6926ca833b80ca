import type { FeedFrame } from '../../protocol/console-frames.ts';
import type { TextDelta } from '../../protocol/engine-event.ts';
import type { Presence } from '../../protocol/machine.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { readAttachment, viewerAttachment, writeAttachment } from './attachment.ts';
import { type Chunk, textAfter } from './chunks.ts';
import { mergeDelta, OpenBlocks } from './deltas.ts';

/** Shortest time between two frames of deltas to viewers, in ms: what comes meanwhile is joined. */
const DELTA_INTERVAL_MS = 2;
/** Chunks sent to one viewer before others get their turn. */
const PAGES_PER_TURN = 8;

export type ViewerSource = {
  sockets(): WebSocket[];
  nextChunk(after: number): Chunk | null;
  lastPosition(): number;
};

/** The consoles that watch one session. Each frame is encoded once, however many they are. */
export class Viewers {
  readonly #source: ViewerSource;
  readonly #open = new OpenBlocks();
  #pendingDeltas: TextDelta[] = [];
  #deltaTimer: ReturnType<typeof setTimeout> | null = null;
  /** Sockets that follow live; null until read back from their attachments after a sleep. */
  #live: Set<WebSocket> | null = null;

  constructor(source: ViewerSource) {
    this.#source = source;
  }

  /** Begins a viewer's subscription: snapshot, then the record after its cursor, then live. */
  async subscribe(
    socket: WebSocket,
    after: number,
    view: SessionView,
    presence: Presence,
  ): Promise<void> {
    this.#flushDeltas();
    this.#following().delete(socket);
    const upTo = this.#source.lastPosition();
    // A cursor beyond the record is of another life of the storage: begin again.
    const cursor = after > upTo ? 0 : after;
    send(socket, encode({ type: 'snapshot', view, upTo, presence }));
    await this.#page(socket, cursor);
  }

  /** Goes on paging to sockets whose paging a restart of the object cut short. */
  async resume(): Promise<void> {
    for (const socket of this.#source.sockets()) {
      const held = readAttachment(socket, viewerAttachment);
      if (held && held.cursor !== null && !held.caughtUp) await this.#page(socket, held.cursor);
    }
  }

  /** Shows newly stored entries to everyone who follows live. */
  showChunks(chunks: readonly Chunk[]): void {
    const live = this.#following();
    if (live.size === 0) return;
    this.#flushDeltas();
    for (const chunk of chunks) this.#sendAll(`{"type":"entries","entries":${chunk.text}}`);
  }

  /** Shows text on its way; joins what comes faster than viewers are served. */
  showDeltas(deltas: readonly TextDelta[]): void {
    for (const delta of deltas) this.#open.add(delta);
    if (this.#following().size === 0) return;
    for (const delta of deltas) this.#pendingDeltas = mergeDelta(this.#pendingDeltas, delta);
    if (this.#deltaTimer !== null) return;
    this.#flushDeltas();
    this.#deltaTimer = setTimeout(() => {
      this.#deltaTimer = null;
      this.#flushDeltas();
    }, DELTA_INTERVAL_MS);
  }

  /** Tells everyone who follows live that the machine came or went. */
  showPresence(presence: Presence): void {
    this.#sendAll(encode({ type: 'presence', presence }));
  }

  /** Forgets open blocks that the record now holds. */
  follow(entries: Parameters<OpenBlocks['follow']>[0]): void {
    this.#open.follow(entries);
  }

  /** A socket that closed is sent nothing more. */
  forget(socket: WebSocket): void {
    this.#following().delete(socket);
  }

  /** Whether anybody has subscribed and is still there. */
  hasAny(except: WebSocket | null = null): boolean {
    return this.#source.sockets().some((socket) => socket !== except && isSubscribed(socket));
  }

  async #page(socket: WebSocket, after: number): Promise<void> {
    let cursor = after;
    for (let pages = 1; ; pages++) {
      const chunk = this.#source.nextChunk(cursor);
      if (!chunk) break;
      if (!send(socket, `{"type":"entries","entries":${textAfter(chunk, cursor)}}`)) return;
      cursor = chunk.last;
      if (pages % PAGES_PER_TURN === 0) {
        writeAttachment(socket, { cursor, caughtUp: false });
        await scheduler.wait(0);
      }
    }
    // No await since the last read: nothing can have been stored in between.
    writeAttachment(socket, { cursor, caughtUp: true });
    this.#following().add(socket);
    const open = this.#open.list();
    if (open.length > 0) send(socket, encode({ type: 'deltas', deltas: open }));
  }

  #following(): Set<WebSocket> {
    this.#live ??= new Set(
      this.#source
        .sockets()
        .filter((socket) => readAttachment(socket, viewerAttachment)?.caughtUp === true),
    );
    return this.#live;
  }

  #flushDeltas(): void {
    if (this.#pendingDeltas.length === 0) return;
    const frame = encode({ type: 'deltas', deltas: this.#pendingDeltas });
    this.#pendingDeltas = [];
    this.#sendAll(frame);
  }

  #sendAll(frame: string): void {
    const live = this.#following();
    for (const socket of live) if (!send(socket, frame)) live.delete(socket);
  }
}

function isSubscribed(socket: WebSocket): boolean {
  return readAttachment(socket, viewerAttachment)?.cursor !== null;
}

function encode(frame: FeedFrame): string {
  return JSON.stringify(frame);
}

/** Sends; false when the socket is gone, which its own close event reports. */
function send(socket: WebSocket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}
