import type { StatementSync } from 'node:sqlite';
import type { SessionId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import type { Checkout } from '../guard/checkout.ts';
import { parseColumn, type Store } from '../link/store.ts';
import type { ProcessIdentity } from '../process/process-table.ts';
import type { InputPaths } from '../process/spawn.ts';
import type { SessionState } from './session-state.ts';

/** The engine's process and files, as the next runner needs them to carry on. */
export type ProcessRecord = {
  identity: ProcessIdentity;
  descendants: readonly ProcessIdentity[];
  out: string;
  err: string;
  /** A one-shot process: its standard input, and the exit status that it leaves. */
  oneShot?: InputPaths;
  /**
   * A persistent one: the named pipe that it reads, and the same. Absent in both: an earlier
   * version's, whose pipe closed with its runner.
   */
  fifo?: InputPaths;
  /** The engine stands behind the processes of a seal. */
  sealed?: true;
};

/** The files that go with a process's spool once it is read and acked. */
export function spoolFiles({ out, err, oneShot, fifo }: ProcessRecord): string[] {
  const kept = oneShot ?? fifo;
  return [out, err, ...(kept ? [kept.input, kept.exit] : [])];
}

export type SessionRow = {
  state: SessionState;
  /** The parser's state, with secrets removed: enough to read on, not to write. */
  engineState: unknown;
  /** The same of the conversation's last process, for what its engine counts per conversation. */
  carried: unknown;
  checkout: Checkout | null;
  process: ProcessRecord | null;
  /** Everything of the spool up to here has become events. */
  spoolOffset: number;
  /**
   * Bytes that were about to be written to the process when this was stored, and of which nobody
   * knows how many it has; 0 once all of them are in its pipe.
   */
  unwrittenBytes: number;
  /** Characters of the parser's state as it was stored last; absent before this runner stored it. */
  keptChars?: number;
};

/** Of a session that has had no process. */
export const EMPTY_ROW: Omit<SessionRow, 'state'> = {
  engineState: null,
  carried: null,
  checkout: null,
  process: null,
  spoolOffset: 0,
  unwrittenBytes: 0,
};

type Progress = Pick<SessionRow, 'engineState' | 'spoolOffset' | 'unwrittenBytes'>;

/** The sessions of this machine, and the spools that wait for their events to be acked. */
export class SessionStore {
  readonly #list: StatementSync;
  readonly #save: StatementSync;
  readonly #saveProgress: StatementSync;
  readonly #saveWritten: StatementSync;
  readonly #addSpool: StatementSync;
  readonly #spent: StatementSync;
  readonly #dropSpool: StatementSync;

  constructor({ db }: Store) {
    this.#list = db.prepare(
      'SELECT core, engine_state, carried, checkout, process, spool_offset, unwritten_bytes FROM sessions ORDER BY updated_at',
    );
    this.#save = db.prepare(
      `INSERT INTO sessions (session_id, core, engine_state, carried, checkout, process, spool_offset, unwritten_bytes, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET core = excluded.core, engine_state = excluded.engine_state,
         carried = excluded.carried, checkout = excluded.checkout, process = excluded.process, spool_offset = excluded.spool_offset,
         unwritten_bytes = excluded.unwritten_bytes,
         updated_at = excluded.updated_at`,
    );
    this.#saveProgress = db.prepare(
      'UPDATE sessions SET engine_state = ?, spool_offset = ?, unwritten_bytes = ? WHERE session_id = ?',
    );
    this.#saveWritten = db.prepare('UPDATE sessions SET unwritten_bytes = 0 WHERE session_id = ?');
    this.#addSpool = db.prepare(
      'INSERT OR REPLACE INTO spools (path, session_id, last_seq) VALUES (?, ?, ?)',
    );
    this.#spent = db.prepare('SELECT path FROM spools WHERE session_id = ? AND last_seq <= ?');
    this.#dropSpool = db.prepare('DELETE FROM spools WHERE path = ?');
  }

  /** Every session, oldest first. The columns were written by this code: they are trusted. */
  list(): SessionRow[] {
    return this.#list.all().map((row) => ({
      state: withDefaults(parseColumn(row['core'], 'sessions.core') as SessionState),
      engineState: readNullable(row, 'engine_state'),
      carried: readNullable(row, 'carried'),
      checkout: readNullable(row, 'checkout') as Checkout | null,
      process: readNullable(row, 'process') as ProcessRecord | null,
      spoolOffset: Number(row['spool_offset']),
      unwrittenBytes: Number(row['unwritten_bytes']),
    }));
  }

  /** Stores the whole row. Returns how many characters its parser's state has. */
  save(row: SessionRow, nowMs: number): number {
    const json = (value: unknown) =>
      value === null || value === undefined ? null : JSON.stringify(value);
    const { state, engineState, carried, checkout, process, spoolOffset, unwrittenBytes } = row;
    const kept = json(engineState);
    const columns = [
      JSON.stringify(state),
      kept,
      json(carried),
      json(checkout),
      json(process),
      spoolOffset,
      unwrittenBytes,
      nowMs,
    ];
    this.#save.run(state.sessionId, ...columns);
    return kept?.length ?? 0;
  }

  /** What every chunk of output changes, without writing the rest again. Returns as {@link save} does. */
  saveProgress(
    sessionId: SessionId,
    { engineState, spoolOffset, unwrittenBytes }: Progress,
  ): number {
    const json = JSON.stringify(engineState);
    this.#saveProgress.run(json, spoolOffset, unwrittenBytes, sessionId);
    return json.length;
  }

  /** Everything that was about to be written is in the process's pipe. */
  saveWritten(sessionId: SessionId): void {
    this.#saveWritten.run(sessionId);
  }

  /** A spool that may go once the session's events up to `lastSeq` are acked. */
  addSpentSpool(path: string, sessionId: SessionId, lastSeq: number): void {
    this.#addSpool.run(path, sessionId, lastSeq);
  }

  /** The spools whose events the cloud has. */
  listSpentSpools(sessionId: SessionId, ackedUpTo: number): string[] {
    return this.#spent.all(sessionId, ackedUpTo).map((row) => String(row['path']));
  }

  forgetSpool(path: string): void {
    this.#dropSpool.run(path);
  }
}

/** One sum, of which nobody knows any more what was reported. */
const earlierSum = (state: object): SessionState['spent'] =>
  'spentMicroUsd' in state ? { estimated: Number(state.spentMicroUsd) } : {};

/** An earlier version waited for what it could not write to; how that stands is looked at anew. */
const phaseOf = (phase: SessionState['phase'] | { kind: 'orphaned' }): SessionState['phase'] =>
  phase.kind === 'orphaned' ? { kind: 'ready', idleSince: null } : phase;

/** What an earlier version stored has not yet what this one added. */
const withDefaults = (state: SessionState): SessionState => ({
  ...state,
  spent: state.spent ?? earlierSum(state),
  unpricedModel: state.unpricedModel ?? null,
  estimateMicroUsd: state.estimateMicroUsd ?? 0,
  story: state.story ?? [],
  steered: state.steered ?? [],
  phase: phaseOf(state.phase),
  launch: launchSpec.parse(state.launch),
});

const readNullable = (row: Record<string, unknown>, column: string): unknown =>
  row[column] === null ? null : parseColumn(row[column], `sessions.${column}`);
