import type { StatementSync } from 'node:sqlite';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Store } from './store.ts';

export type Stream = { sessionId: SessionId; ackedUpTo: number; lastSeq: number };

/** A run of events, each already the JSON that goes into a frame. */
export type OutboxPage = { to: number; bytes: number; events: readonly string[] };

/**
 * What the cloud has not stored yet. Every event gets its seq here, from 1 per session without
 * gaps, in the same transaction as the state it came from; it leaves when it is acked.
 */
export class Outbox {
  readonly #store: Store;
  readonly #streams: StatementSync;
  readonly #stream: StatementSync;
  readonly #saveStream: StatementSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #trim: StatementSync;
  /** Acks that are known and not yet written, per session. */
  readonly #unsettled = new Map<SessionId, number>();

  constructor(store: Store) {
    const { db } = store;
    this.#store = store;
    this.#streams = db.prepare(
      'SELECT session_id, last_seq, acked_up_to FROM streams WHERE last_seq > acked_up_to',
    );
    this.#stream = db.prepare('SELECT last_seq, acked_up_to FROM streams WHERE session_id = ?');
    this.#saveStream = db.prepare(
      `INSERT INTO streams (session_id, last_seq, acked_up_to) VALUES (?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET last_seq = excluded.last_seq, acked_up_to = excluded.acked_up_to`,
    );
    this.#insert = db.prepare('INSERT INTO outbox (session_id, seq, json) VALUES (?, ?, ?)');
    this.#select = db.prepare(
      'SELECT seq, json FROM outbox WHERE session_id = ? AND seq BETWEEN ? AND ? ORDER BY seq',
    );
    this.#trim = db.prepare('DELETE FROM outbox WHERE session_id = ? AND seq <= ?');
  }

  /** Appends events that happened at `at` (Unix ms). Returns the last seq given. */
  append(sessionId: SessionId, at: number, events: readonly EngineEvent[]): number {
    return this.#store.transaction(() => {
      const { lastSeq, ackedUpTo } = this.read(sessionId);
      let seq = lastSeq;
      for (const event of events) {
        seq += 1;
        this.#insert.run(sessionId, seq, JSON.stringify({ sessionId, seq, at, event }));
      }
      this.#saveStream.run(sessionId, seq, ackedUpTo);
      return seq;
    });
  }

  /** Where a session's stream stands; zeros for one without events. */
  read(sessionId: SessionId): Stream {
    const row = this.#stream.get(sessionId);
    return {
      sessionId,
      ackedUpTo: this.#unsettled.get(sessionId) ?? Number(row?.['acked_up_to'] ?? 0),
      lastSeq: Number(row?.['last_seq'] ?? 0),
    };
  }

  /** The sessions that have something to send. */
  list(): Stream[] {
    this.settle();
    return this.#streams.all().map((row) => ({
      sessionId: String(row['session_id']) as SessionId,
      ackedUpTo: Number(row['acked_up_to']),
      lastSeq: Number(row['last_seq']),
    }));
  }

  /** Reads events `from`…`to`, fewer when they exceed `maxBytes`, but at least one. */
  readPage(sessionId: SessionId, from: number, to: number, maxBytes: number): OutboxPage {
    const events: string[] = [];
    let bytes = 0;
    for (const row of this.#select.iterate(sessionId, from, to)) {
      const json = String(row['json']);
      const size = Buffer.byteLength(json);
      if (events.length > 0 && bytes + size > maxBytes) break;
      events.push(json);
      bytes += size;
    }
    if (events.length === 0) throw new Error(`outbox of ${sessionId} has a hole at ${from}`);
    return { to: from + events.length - 1, bytes, events };
  }

  /**
   * Takes note of what the cloud has stored. Acks never go back, and never beyond what was made.
   * Written by `settle`: an ack that a crash takes away is told again by the next connection.
   */
  ack(sessionId: SessionId, upTo: number): Stream {
    const stream = this.read(sessionId);
    const ackedUpTo = Math.min(Math.max(stream.ackedUpTo, upTo), stream.lastSeq);
    if (ackedUpTo === stream.ackedUpTo) return stream;
    this.#unsettled.set(sessionId, ackedUpTo);
    return { ...stream, ackedUpTo };
  }

  /** Forgets what the cloud has stored: one transaction for all acks since the last time. */
  settle(): void {
    if (this.#unsettled.size === 0) return;
    this.#store.transaction(() => {
      for (const sessionId of this.#unsettled.keys()) {
        const { lastSeq, ackedUpTo } = this.read(sessionId);
        this.#trim.run(sessionId, ackedUpTo);
        this.#saveStream.run(sessionId, lastSeq, ackedUpTo);
      }
      this.#store.afterCommit(() => this.#unsettled.clear());
    });
  }

  /**
   * Makes room when the cloud has stored more than this database ever made, as after a power
   * cut: what is not acked here gets seqs above what the cloud has, so that nothing new is
   * mistaken for a repetition.
   */
  renumber(sessionId: SessionId, storedUpTo: number): Stream {
    this.settle();
    return this.#store.transaction(() => {
      const stream = this.read(sessionId);
      if (storedUpTo <= stream.lastSeq) return stream;
      const pending = this.#select.all(sessionId, stream.ackedUpTo + 1, stream.lastSeq);
      this.#trim.run(sessionId, stream.lastSeq);
      let seq = storedUpTo;
      for (const row of pending) {
        seq += 1;
        const event: unknown = JSON.parse(String(row['json']));
        this.#insert.run(sessionId, seq, JSON.stringify({ ...(event as object), seq }));
      }
      this.#saveStream.run(sessionId, seq, storedUpTo);
      return { sessionId, ackedUpTo: storedUpTo, lastSeq: seq };
    });
  }
}
