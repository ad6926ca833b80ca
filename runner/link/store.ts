import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, Failure, messageOf } from '../failure.ts';

/** SQLite's result code for a lock that another connection holds (sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;
/** And for a disk without room for what is to be written. */
const SQLITE_FULL = 13;

/** Append-only: a released statement never changes, a new one is added at the end. */
const MIGRATIONS = [
  `CREATE TABLE streams (
     session_id TEXT PRIMARY KEY,
     last_seq INTEGER NOT NULL,
     acked_up_to INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE outbox (
     session_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (session_id, seq)
   ) WITHOUT ROWID;
   CREATE TABLE sessions (
     session_id TEXT PRIMARY KEY,
     core TEXT NOT NULL,
     engine_state TEXT,
     checkout TEXT,
     process TEXT,
     spool_offset INTEGER NOT NULL DEFAULT 0,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE spools (
     path TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     last_seq INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE commands (
     id TEXT PRIMARY KEY,
     session_id TEXT,
     method TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('received', 'handed', 'done')),
     result TEXT,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE facts (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;`,
  'ALTER TABLE sessions ADD COLUMN carried TEXT;',
  'ALTER TABLE sessions ADD COLUMN unwritten_bytes INTEGER NOT NULL DEFAULT 0;',
  `CREATE TABLE asks (
     session_id TEXT NOT NULL,
     step INTEGER NOT NULL,
     process TEXT,
     reply TEXT,
     at INTEGER NOT NULL,
     PRIMARY KEY (session_id, step)
   ) WITHOUT ROWID;`,
  `CREATE TABLE drives (
     id TEXT PRIMARY KEY,
     open TEXT,
     report TEXT,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE TABLE questions (
     id TEXT PRIMARY KEY,
     json TEXT NOT NULL,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE TABLE write_looks (
     id TEXT PRIMARY KEY,
     open TEXT,
     report TEXT,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;`,
] as const;

/** The database is held by another runner process. */
export class StoreLockedError extends Error {
  constructor(path: string, options?: { cause?: unknown }) {
    super(`${path} is in use by another runner process`, options);
    this.name = 'StoreLockedError';
  }
}

/**
 * The runner's database. Held exclusively, so that two runners can never drive the sessions of
 * one data directory: the operating system drops the lock when its holder dies, however it dies.
 */
export class Store {
  readonly db: DatabaseSync;
  #depth = 0;
  #afterCommit: (() => void)[] = [];

  /** Opens and migrates. Throws {@link StoreLockedError} when another process holds it. */
  constructor(path: string) {
    // SQLite gives its journal the mode that the database has when the journal is made.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    this.db = new DatabaseSync(path, { timeout: 0 });
    try {
      this.db.exec('PRAGMA locking_mode = EXCLUSIVE');
      this.db.exec('PRAGMA journal_mode = WAL');
      // A commit survives any end of this process without waiting for the disk; only a power
      // cut can take the last ones, and `Outbox.renumber` then makes room above what was acked.
      this.db.exec('PRAGMA synchronous = NORMAL');
      this.db.exec('PRAGMA wal_autocheckpoint = 4000');
      this.db.exec('BEGIN EXCLUSIVE; COMMIT');
      if (path !== ':memory:') chmodSync(path, 0o600);
      this.#migrate();
    } catch (error) {
      this.db.close();
      if (hasCode(error, SQLITE_BUSY)) throw new StoreLockedError(path, { cause: error });
      throw hasCode(error, SQLITE_FULL) ? diskFull(error) : error;
    }
  }

  /** Runs `work` as one transaction; a call inside another joins it. Rolls back on a throw. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.db.exec('BEGIN IMMEDIATE');
    this.#depth += 1;
    let result: T;
    try {
      result = work();
      this.db.exec('COMMIT');
    } catch (error) {
      this.#afterCommit = [];
      // SQLite has rolled back by itself where the disk was full.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw hasCode(error, SQLITE_FULL) ? diskFull(error) : error;
    } finally {
      this.#depth -= 1;
    }
    const callbacks = this.#afterCommit;
    this.#afterCommit = [];
    for (const callback of callbacks) callback();
    return result;
  }

  /** Runs `callback` once what is being written is durable; at once outside a transaction. */
  afterCommit(callback: () => void): void {
    if (this.#depth > 0) this.#afterCommit.push(callback);
    else callback();
  }

  close(): void {
    this.db.close();
  }

  #migrate(): void {
    const row = this.db.prepare('PRAGMA user_version').get();
    const version = Number(row?.['user_version'] ?? 0);
    if (version > MIGRATIONS.length) {
      throw new Error(
        `the database is of a newer Pilothouse (schema ${version}, this one knows ${MIGRATIONS.length})`,
      );
    }
    this.transaction(() => {
      for (const statement of MIGRATIONS.slice(version)) this.db.exec(statement);
      this.db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

/** A runner that cannot keep what it does stops, and is whole again when there is room. */
function diskFull(cause: unknown): Failure {
  return new Failure(
    EXIT.failed,
    'disk_full',
    'The disk is full, so the runner cannot keep what it does and stops here. Free some space; started again, it goes on where it was.',
    { cause },
  );
}

/** Parses a JSON column that this process or an earlier one wrote. Throws with the column's name. */
export function parseColumn(json: unknown, column: string): unknown {
  if (typeof json !== 'string') throw new Error(`${column} holds no text`);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`${column} is damaged: ${messageOf(error)}`, { cause: error });
  }
}
