import {
  decideSend,
  recordAck,
  recordSent,
  reopenWindow,
  type SendLimits,
  type SendWindow,
} from '../../protocol/delivery.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { FRAME_MAX_EVENTS } from '../../protocol/runner-frames.ts';
import { inOlderWords } from './older-words.ts';
import type { Outbox, Stream } from './outbox.ts';
import type { SetAside } from './set-aside.ts';

/** Most bytes of events in one frame: far under what the platform takes, small enough to interleave. */
export const FRAME_MAX_BYTES = 1024 * 1024;

/** Frames to write now, and when to ask again (Unix ms) if nothing else happens before. */
export type SendRound = { frames: readonly string[]; wakeAt: number | null };

/**
 * Decides what leaves the outbox on the current connection: one window per session, so that a
 * feed that is slow to store holds back only its own session. Knows nothing of sockets.
 */
export class Sender {
  readonly #outbox: Outbox;
  readonly #limits: SendLimits;
  readonly #aside: Pick<SetAside, 'has'>;
  readonly #windows = new Map<SessionId, SendWindow>();
  #olderWords = false;

  constructor(outbox: Outbox, limits: SendLimits, aside: Pick<SetAside, 'has'> = new Set()) {
    this.#outbox = outbox;
    this.#aside = aside;
    this.#limits = { ...limits, maxBatch: Math.min(limits.maxBatch, FRAME_MAX_EVENTS) };
  }

  /**
   * Begins a connection: `cursors` is what the cloud has stored of the sessions we named, and
   * `olderWords` whether it is one that does not know the newer ones.
   */
  open(cursors: readonly { sessionId: SessionId; upTo: number }[], olderWords = false): void {
    this.#olderWords = olderWords;
    this.#windows.clear();
    for (const { sessionId, upTo } of cursors) {
      this.#outbox.renumber(sessionId, upTo);
      this.#outbox.ack(sessionId, upTo);
    }
    for (const stream of this.list()) this.#windows.set(stream.sessionId, windowOf(stream));
  }

  /** The sessions that have something to send, and whose events are wanted. */
  list(): Stream[] {
    return this.#outbox.list().filter(({ sessionId }) => !this.#aside.has(sessionId));
  }

  /** Sends nothing more of a session, on this connection or until it is wanted again. */
  drop(sessionId: SessionId): void {
    this.#windows.delete(sessionId);
  }

  /** New events of a session are in the outbox, the last of them `lastSeq`. */
  extend(sessionId: SessionId, lastSeq: number): void {
    if (this.#aside.has(sessionId)) return;
    const window = this.#windows.get(sessionId);
    if (window)
      this.#windows.set(sessionId, { ...window, lastSeq: Math.max(window.lastSeq, lastSeq) });
    else this.#windows.set(sessionId, windowOf(this.#outbox.read(sessionId)));
  }

  /**
   * The cloud has stored everything up to `upTo`. Returns the stream as it stands now; null, with
   * nothing changed, for an ack of what was never sent: believing it would lose that for good.
   */
  acknowledge(sessionId: SessionId, upTo: number, nowMs: number): Stream | null {
    const window = this.#windows.get(sessionId);
    if (upTo > (window?.sentUpTo ?? this.#outbox.read(sessionId).lastSeq)) return null;
    const stream = this.#outbox.ack(sessionId, upTo);
    if (!window) return stream;
    const acked = recordAck(window, upTo, nowMs);
    if (acked.ackedUpTo >= acked.lastSeq) this.#windows.delete(sessionId);
    else this.#windows.set(sessionId, acked);
    return stream;
  }

  /** Takes the frames that may be sent at `nowMs`, one of each session at a time, in turn. */
  next(nowMs: number): SendRound {
    const frames: string[] = [];
    let wakeAt: number | null = null;
    for (const [sessionId, window] of this.#windows) {
      const decision = decideSend(window, nowMs, this.#limits);
      if (decision.kind === 'wait') wakeAt = Math.min(wakeAt ?? decision.untilMs, decision.untilMs);
      if (decision.kind !== 'send') continue;
      const page = this.#outbox.readPage(sessionId, decision.from, decision.to, FRAME_MAX_BYTES);
      this.#windows.set(sessionId, recordSent(window, page.to, nowMs));
      const events = this.#olderWords ? page.events.map(inOlderWords) : page.events;
      frames.push(`{"type":"events","events":[${events.join(',')}]}`);
    }
    return { frames, wakeAt };
  }
}

function windowOf(stream: Stream): SendWindow {
  const window = {
    ackedUpTo: stream.ackedUpTo,
    sentUpTo: 0,
    lastSeq: stream.lastSeq,
    frames: [],
    inFlightSince: null,
  };
  return reopenWindow(window, stream.ackedUpTo);
}
