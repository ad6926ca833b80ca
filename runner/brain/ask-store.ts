import type { StatementSync } from 'node:sqlite';
import { brainReply, type BrainReply } from '../../protocol/brain-answer.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type { EngineLaunch } from '../engines/engine.ts';
import { parseColumn, type Store } from '../link/store.ts';
import type { ProcessIdentity } from '../process/process-table.ts';
import type { SpoolPaths } from '../process/spawn.ts';

/** How long a reply is remembered: far longer than a Pilot can ask for it again. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** Which question of which session: the same one is asked once. */
export type AskId = { sessionId: SessionId; step: number };

/** The process that answers, as the next runner needs it to read the answer. */
export type AskProcess = {
  identity: ProcessIdentity;
  paths: SpoolPaths;
  sealed: boolean;
  launch: EngineLaunch;
  turnId: TurnId;
  /** Ended then, Unix ms. */
  deadlineAt: number;
  /** It goes as far as the account's budgets granted it, and the session further. */
  byGrant?: boolean;
};

export type AskRow = AskId & {
  /** Null: nobody knows whether a process was started. */
  process: AskProcess | null;
  /** Null until it is over. */
  reply: BrainReply | null;
};

/** The questions that engines of this machine were asked beside their conversations. */
export class AskStore {
  readonly #insert: StatementSync;
  readonly #start: StatementSync;
  readonly #finish: StatementSync;
  readonly #remove: StatementSync;
  readonly #find: StatementSync;
  readonly #open: StatementSync;
  readonly #prune: StatementSync;

  constructor({ db }: Store) {
    this.#insert = db.prepare('INSERT INTO asks (session_id, step, at) VALUES (?, ?, ?)');
    this.#start = db.prepare('UPDATE asks SET process = ? WHERE session_id = ? AND step = ?');
    this.#finish = db.prepare('UPDATE asks SET reply = ? WHERE session_id = ? AND step = ?');
    this.#remove = db.prepare('DELETE FROM asks WHERE session_id = ? AND step = ?');
    const columns = 'SELECT session_id, step, process, reply FROM asks';
    this.#find = db.prepare(`${columns} WHERE session_id = ? AND step = ?`);
    this.#open = db.prepare(`${columns} WHERE reply IS NULL ORDER BY at`);
    this.#prune = db.prepare('DELETE FROM asks WHERE reply IS NOT NULL AND at < ?');
  }

  /** Notes that a question is about to be asked: from here on it is not asked again. */
  begin({ sessionId, step }: AskId, nowMs: number): void {
    this.#prune.run(nowMs - KEEP_MS);
    this.#insert.run(sessionId, step, nowMs);
  }

  started({ sessionId, step }: AskId, process: AskProcess): void {
    this.#start.run(JSON.stringify(process), sessionId, step);
  }

  finish({ sessionId, step }: AskId, reply: BrainReply): void {
    this.#finish.run(JSON.stringify(reply), sessionId, step);
  }

  /** Nothing was asked: it may be tried anew. */
  forget({ sessionId, step }: AskId): void {
    this.#remove.run(sessionId, step);
  }

  find({ sessionId, step }: AskId): AskRow | null {
    const row = this.#find.get(sessionId, step);
    return row ? rowOf(row) : null;
  }

  /** Those that an earlier runner left open. */
  listOpen(): AskRow[] {
    return this.#open.all().map(rowOf);
  }
}

/** The columns were written by this code; a reply is checked, because it goes out as it is. */
const rowOf = (row: Record<string, unknown>): AskRow => ({
  sessionId: row['session_id'] as SessionId,
  step: Number(row['step']),
  process:
    row['process'] === null ? null : (parseColumn(row['process'], 'asks.process') as AskProcess),
  reply: row['reply'] === null ? null : brainReply.parse(parseColumn(row['reply'], 'asks.reply')),
});
