import type { Command, CommandResult } from '../../protocol/command.ts';
import { ERRORS, sentenceOf } from '../../protocol/errors.ts';
import type { CommandId, SessionId, TurnId } from '../../protocol/ids.ts';
import type { MachineFacts } from '../../protocol/machine.ts';

export type QueuedCommand = { command: Command; sent: boolean; result: CommandResult | null };

type CommandRow = { command: string; sent: number; result: string | null };
type RelayRow = {
  machine: string | null;
  last_seen_at: number | null;
  connected: number;
  revoked_at: number | null;
};

/** Whether a command is this instruction, and was never sent: once sent, only the machine knows. */
export const waitsWith = ({ command, sent }: QueuedCommand, turnId: TurnId): boolean =>
  !sent && command.method === 'session/instruct' && command.params.turnId === turnId;

/** What became of a command that its machine never had. */
export const WITHDRAWN: CommandResult = {
  ok: false,
  code: 'instruction_withdrawn',
  message: sentenceOf('instruction_withdrawn'),
};

/**
 * What becomes of a command whose machine may not come back. Once sent it may have been carried out,
 * and is not to be given again as if it had not; but for a stop, which that machine carries out for all.
 */
export function endedByRevoke({ command, sent }: QueuedCommand): CommandResult {
  const code = sent && command.method !== 'session/stop' ? 'unknown_outcome' : 'runner_revoked';
  return { ok: false, code, message: sentenceOf(code) };
}

/** Nobody looks at so many terminals of one machine at a time. */
const SHOWN_MAX = 500;

/** Rows of a relay's own tables; no decisions here. Every call is synchronous. */
export class RelayStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** What is known of the machine while it may be away: `lastSeenAt` is Unix ms, null for never. */
  readLink(): {
    machine: MachineFacts | null;
    lastSeenAt: number | null;
    connected: boolean;
    revokedAt: number | null;
  } {
    const row = this.#sql
      .exec<RelayRow>('SELECT machine, last_seen_at, connected, revoked_at FROM relay')
      .one();
    return {
      machine: row.machine === null ? null : (JSON.parse(row.machine) as MachineFacts),
      lastSeenAt: row.last_seen_at,
      connected: row.connected === 1,
      revokedAt: row.revoked_at,
    };
  }

  /** Keeps when the machine’s access was taken back, in Unix ms; null once it may come again. */
  writeRevoked(at: number | null): void {
    this.#sql.exec('UPDATE relay SET revoked_at = ?', at);
  }

  /** Keeps which terminal of its own the machine is asked to show by a command, at a time in Unix ms. */
  keepShown({ method, params }: Command, at: number): void {
    if (method !== 'terminal/watch') return;
    this.#sql.exec('INSERT OR REPLACE INTO shown (target, at) VALUES (?, ?)', params.target, at);
    this.#sql.exec(
      'DELETE FROM shown WHERE target NOT IN (SELECT target FROM shown ORDER BY at DESC LIMIT ?)',
      SHOWN_MAX,
    );
  }

  /** Terminals of its own that the machine was asked to show. */
  listShown(): string[] {
    return this.#sql
      .exec<{ target: string }>('SELECT target FROM shown')
      .toArray()
      .map(({ target }) => target);
  }

  /** One of them is shown no more. */
  forgetShown(target: string): void {
    this.#sql.exec('DELETE FROM shown WHERE target = ?', target);
  }

  /** Keeps what the machine says of itself, for the time when it is away. */
  writeMachine(machine: MachineFacts): void {
    this.#sql.exec('UPDATE relay SET machine = ?', JSON.stringify(machine));
  }

  /** Keeps whether the link is there and when it was last heard, in Unix ms. */
  writeLink(connected: boolean, lastSeenAt: number): void {
    this.#sql.exec(
      'UPDATE relay SET connected = ?, last_seen_at = ?',
      connected ? 1 : 0,
      lastSeenAt,
    );
  }

  /** Keeps a command; the same id again changes nothing. Returns whether it is new. */
  keep(command: Command): boolean {
    const cursor = this.#sql.exec(
      'INSERT INTO commands (id, command, deadline_at, sent) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING',
      command.id,
      JSON.stringify(command),
      command.deadlineAt,
    );
    return cursor.rowsWritten > 0;
  }

  /** It may have reached the machine: without an answer its fate is unknown, not expired. */
  markSent(id: CommandId): void {
    this.#sql.exec('UPDATE commands SET sent = 1 WHERE id = ? AND sent = 0', id);
  }

  /** Commands that the runner has not answered, in the order in which they were asked. */
  listUnanswered(): QueuedCommand[] {
    return this.#list(
      'SELECT command, sent, result FROM commands WHERE result IS NULL ORDER BY rowid',
    );
  }

  /** Commands whose result the feed has not recorded. */
  listUnsettled(): QueuedCommand[] {
    return this.#list(
      'SELECT command, sent, result FROM commands WHERE result IS NOT NULL ORDER BY rowid',
    );
  }

  /** Keeps a result until its feed has it. Returns the command, or null if none waits for one. */
  recordResult(id: CommandId, result: CommandResult): Command | null {
    const row = this.#sql
      .exec<{ command: string }>(
        'UPDATE commands SET result = ? WHERE id = ? AND result IS NULL RETURNING command',
        JSON.stringify(result),
        id,
      )
      .toArray()[0];
    return row ? (JSON.parse(row.command) as Command) : null;
  }

  /** Ends what waited too long. Once sent, only the runner knows whether it acted: that is not `expired`. */
  expire(nowMs: number): void {
    for (const { command, sent } of this.listUnanswered()) {
      if (command.deadlineAt > nowMs) continue;
      const code = sent ? 'unknown_outcome' : 'expired';
      this.recordResult(command.id, { ok: false, code, message: ERRORS[code].sentence });
    }
  }

  /** Forgets a command whose result its feed has. */
  remove(id: CommandId): void {
    this.#sql.exec('DELETE FROM commands WHERE id = ?', id);
  }

  /** The earliest deadline of an unanswered command; null when all are answered. */
  nextDeadline(): number | null {
    return this.#sql
      .exec<{ due: number | null }>(
        'SELECT MIN(deadline_at) AS due FROM commands WHERE result IS NULL',
      )
      .one().due;
  }

  /** Whether any feed still has to be told a result. */
  hasUnsettled(): boolean {
    return (
      this.#sql.exec('SELECT 1 AS one FROM commands WHERE result IS NOT NULL LIMIT 1').toArray()
        .length > 0
    );
  }

  /** Remembers a session that somebody watches; again changes nothing. */
  addWatcher(sessionId: SessionId): void {
    this.#sql.exec(
      'INSERT INTO watchers (session_id) VALUES (?) ON CONFLICT DO NOTHING',
      sessionId,
    );
  }

  /** Nobody watches this session any more. */
  removeWatcher(sessionId: SessionId): void {
    this.#sql.exec('DELETE FROM watchers WHERE session_id = ?', sessionId);
  }

  /** The sessions whose viewers are told when the machine comes or goes. */
  listWatchers(): SessionId[] {
    return this.#sql
      .exec<{ session_id: string }>('SELECT session_id FROM watchers')
      .toArray()
      .map((row) => row.session_id as SessionId);
  }

  #list(query: string): QueuedCommand[] {
    return this.#sql
      .exec<CommandRow>(query)
      .toArray()
      .map((row) => ({
        command: JSON.parse(row.command) as Command,
        sent: row.sent === 1,
        result: row.result === null ? null : (JSON.parse(row.result) as CommandResult),
      }));
  }
}
