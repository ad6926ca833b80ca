import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { ActorId, RunnerId } from '../../protocol/ids.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { type Chunk, decodeChunk, splitText } from './chunks.ts';
import { ROW_MAX_CHARS } from './feed-storage.ts';

/** What a feed knows of itself beside its record. */
export type FeedFacts = {
  runnerId: RunnerId;
  actorId: ActorId;
  /** Fencing epoch of the lease: a command of an older one is refused by the runner. */
  epoch: number;
  /** The runner's seqs stored so far. */
  seqUpTo: number;
  lastPosition: number;
  projectedUpTo: number;
};

type FactsRow = {
  runner_id: string;
  actor_id: string;
  epoch: number;
  seq_up_to: number;
  last_position: number;
  projected_up_to: number;
};

/** Rows of a feed's own tables; no decisions here. Every call is synchronous. */
export class FeedStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The facts; null before the session was created. */
  readFacts(): FeedFacts | null {
    const row = this.#sql.exec<FactsRow>('SELECT * FROM feed').toArray()[0];
    if (!row) return null;
    return {
      runnerId: row.runner_id as RunnerId,
      actorId: row.actor_id as ActorId,
      epoch: row.epoch,
      seqUpTo: row.seq_up_to,
      lastPosition: row.last_position,
      projectedUpTo: row.projected_up_to,
    };
  }

  /** Writes what may change. The runner and the person stay those of the creation. */
  writeFacts(facts: FeedFacts): void {
    this.#sql.exec(
      `INSERT INTO feed (one, runner_id, actor_id, epoch, seq_up_to, last_position, projected_up_to)
       VALUES (1, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch, seq_up_to = excluded.seq_up_to,
         last_position = excluded.last_position, projected_up_to = excluded.projected_up_to`,
      facts.runnerId,
      facts.actorId,
      facts.epoch,
      facts.seqUpTo,
      facts.lastPosition,
      facts.projectedUpTo,
    );
  }

  /** Stores a chunk in rows that SQLite accepts. Throws when its first position is taken. */
  appendChunk(chunk: Chunk): void {
    splitText(chunk.text, ROW_MAX_CHARS).forEach((text, part) => {
      this.#sql.exec(
        'INSERT INTO chunks (first, part, last, text) VALUES (?, ?, ?, ?)',
        chunk.first,
        part,
        chunk.last,
        text,
      );
    });
  }

  /** The chunk that holds the entry after `after`, or null at the end of the record. */
  nextChunk(after: number): Chunk | null {
    const holding = this.#sql
      .exec<{ first: number }>('SELECT MAX(first) AS first FROM chunks WHERE first <= ?', after + 1)
      .toArray()[0];
    const first = holding?.first ?? null;
    if (first === null) return null;
    const rows = this.#sql
      .exec<{ last: number; text: string }>(
        'SELECT last, text FROM chunks WHERE first = ? ORDER BY part',
        first,
      )
      .toArray();
    const last = rows[0]?.last ?? 0;
    return last > after ? { first, last, text: rows.map((row) => row.text).join('') } : null;
  }

  /** Up to `limit` entries after a position, in order. */
  listEntries(after: number, limit: number): FeedEntry[] {
    const entries: FeedEntry[] = [];
    let cursor = after;
    while (entries.length < limit) {
      const chunk = this.nextChunk(cursor);
      if (!chunk) break;
      const seen = cursor;
      entries.push(...decodeChunk(chunk).filter((entry) => entry.position > seen));
      cursor = chunk.last;
    }
    return entries.slice(0, limit);
  }

  /** The latest snapshot and the position up to which it holds; null before the first. */
  readSnapshot(): { position: number; view: SessionView } | null {
    const rows = this.#sql
      .exec<{ position: number; text: string }>('SELECT position, text FROM snapshot ORDER BY part')
      .toArray();
    const first = rows[0];
    if (!first) return null;
    return {
      position: first.position,
      view: JSON.parse(rows.map((row) => row.text).join('')) as SessionView,
    };
  }

  /** Replaces the snapshot. The caller has a transaction open, so a reader never sees half of one. */
  writeSnapshot(position: number, view: SessionView): void {
    this.#sql.exec('DELETE FROM snapshot');
    splitText(JSON.stringify(view), ROW_MAX_CHARS).forEach((text, part) => {
      this.#sql.exec(
        'INSERT INTO snapshot (part, position, text) VALUES (?, ?, ?)',
        part,
        position,
        text,
      );
    });
  }
}
