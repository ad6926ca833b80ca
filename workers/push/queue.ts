import type { PushMessage } from '../../protocol/push.ts';

/** The steps of the bell's storage. */
export const BELL_STEPS = [
  `
  CREATE TABLE queue (
    tag TEXT NOT NULL,
    device_id TEXT NOT NULL,
    message TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    PRIMARY KEY (tag, device_id)
  );
  `,
  `
  CREATE TABLE told (tag TEXT PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE webhook (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    host TEXT NOT NULL,
    sealed TEXT NOT NULL,
    choices TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_at INTEGER,
    status INTEGER,
    fault TEXT
  );
  `,
  `
  CREATE TABLE digest (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    due_at INTEGER NOT NULL
  );
  CREATE TABLE digest_told (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    last_day TEXT NOT NULL,
    told TEXT NOT NULL
  );
  `,
  `
  ALTER TABLE queue ADD COLUMN name TEXT NOT NULL DEFAULT '';
  `,
];

/** Times that a message is tried; the last one comes about a quarter of an hour after the first. */
const ATTEMPTS = 6;
const FIRST_RETRY_MS = 15_000;
/** Messages that wait at once; the oldest go first. Nobody reads a thousand of them. */
const QUEUE_MAX = 500;
/** How long it is remembered what was told. Who tells of the same for longer tells it again. */
const TOLD_MS = 30 * 24 * 60 * 60_000;

export type Waiting = {
  tag: string;
  device_id: string;
  message: string;
  attempts: number;
  /** Its own: another message of the same tag may wait by the time this one is sent. */
  name: string;
};

/** What an account's bell still has to say, and what it has said. */
export class PushQueue {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Those of the messages that were never told; from now on they were. */
  takeFresh(messages: readonly PushMessage[], nowMs: number): PushMessage[] {
    const fresh = messages.filter(
      ({ tag }) => this.#sql.exec('SELECT 1 FROM told WHERE tag = ?', tag).toArray().length === 0,
    );
    for (const { tag } of messages)
      this.#sql.exec('INSERT OR REPLACE INTO told (tag, at) VALUES (?, ?)', tag, nowMs);
    this.#sql.exec('DELETE FROM told WHERE at < ?', nowMs - TOLD_MS);
    return fresh;
  }

  /** Lets a message wait for one who is told: a browser by its id, or the webhook. */
  add(placeId: string, message: PushMessage, nowMs: number): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO queue (tag, device_id, message, attempts, next_at, name) VALUES (?, ?, ?, 0, ?, ?)',
      message.tag,
      placeId,
      JSON.stringify(message),
      nowMs,
      crypto.randomUUID(),
    );
    this.#sql.exec(
      'DELETE FROM queue WHERE rowid NOT IN (SELECT rowid FROM queue ORDER BY rowid DESC LIMIT ?)',
      QUEUE_MAX,
    );
  }

  /** What is to be sent now, the oldest first. */
  listDue(nowMs: number): Waiting[] {
    return this.#sql
      .exec<Waiting>('SELECT * FROM queue WHERE next_at <= ? ORDER BY rowid', nowMs)
      .toArray();
  }

  /** Takes this very message off, or lets it wait for its next turn. */
  settle(
    { tag, device_id: placeId, attempts, name }: Waiting,
    again: boolean,
    nowMs: number,
  ): void {
    if (again && attempts + 1 < ATTEMPTS)
      this.#sql.exec(
        'UPDATE queue SET attempts = ?, next_at = ? WHERE tag = ? AND device_id = ? AND name = ?',
        attempts + 1,
        nowMs + FIRST_RETRY_MS * 2 ** attempts,
        tag,
        placeId,
        name,
      );
    else
      this.#sql.exec(
        'DELETE FROM queue WHERE tag = ? AND device_id = ? AND name = ?',
        tag,
        placeId,
        name,
      );
  }

  /** Forgets what waits for one who is told nothing more. */
  forget(placeId: string): void {
    this.#sql.exec('DELETE FROM queue WHERE device_id = ?', placeId);
  }

  /** When the next message is due, Unix ms; null where none waits. */
  nextAt(): number | null {
    const [row] = this.#sql
      .exec<{ due: number | null }>('SELECT MIN(next_at) AS due FROM queue')
      .toArray();
    return row?.due ?? null;
  }
}
