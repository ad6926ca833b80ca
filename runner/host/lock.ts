import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for a lock that another connection holds (sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

export type Lock = { release(): void };

/**
 * Takes the lock at `path`, or answers null when another process holds it longer than `waitMs`.
 *
 * The lock is an exclusive transaction on an empty database: the operating system lets go of it
 * when its holder dies, however it dies, so there is no stale lock to tell from a live one. The
 * wait blocks the event loop.
 */
export function acquireLock(path: string, waitMs = 0): Lock | null {
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
