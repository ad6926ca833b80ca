import type { Command } from '../../protocol/command.ts';
import type { CommandId, TurnId } from '../../protocol/ids.ts';
import { turnOf } from './make-command.ts';

export type Outgoing = { command: Command; taken: boolean; attempts: number; nextAt: number };

type OutgoingRow = { command: string; taken: number; attempts: number; next_at: number };

/** First and longest wait between attempts to hand a command to the relay, in ms. */
export const HANDOVER_FIRST_MS = 1_000;
export const HANDOVER_MAX_MS = 60_000;

/** Decides how long to wait after `attempts` failed handovers. */
export function decideHandoverWait(attempts: number): number {
  return Math.min(HANDOVER_FIRST_MS * 2 ** Math.max(0, attempts - 1), HANDOVER_MAX_MS);
}

/** A feed's commands, from the transaction that made each until its result is recorded. */
export class OutgoingStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Keeps a command with the entries that it belongs to. `made` is Unix ms. */
  add(command: Command, made: number): void {
    this.#sql.exec(
      'INSERT INTO outgoing (id, command, taken, attempts, next_at, made) VALUES (?, ?, 0, 0, ?, ?)',
      command.id,
      JSON.stringify(command),
      made + HANDOVER_FIRST_MS,
      made,
    );
  }

  /** A command that has no result yet; null for one that is settled or of an older epoch. */
  read(id: CommandId): Command | null {
    const row = this.#sql.exec<OutgoingRow>('SELECT * FROM outgoing WHERE id = ?', id).toArray()[0];
    return row ? toOutgoing(row).command : null;
  }

  /** Every command that has no result yet, oldest first. */
  list(): Outgoing[] {
    return this.#sql
      .exec<OutgoingRow>('SELECT * FROM outgoing ORDER BY made, rowid')
      .toArray()
      .map(toOutgoing);
  }

  /** The turns that commands without a result carry. */
  listTurns(): TurnId[] {
    return this.list().flatMap(({ command }) => turnOf(command) ?? []);
  }

  /** The oldest command that the relay lacks: those behind it wait for it. Null when it has all. */
  head(): Outgoing | null {
    const row = this.#sql
      .exec<OutgoingRow>('SELECT * FROM outgoing WHERE taken = 0 ORDER BY made, rowid LIMIT 1')
      .toArray()[0];
    return row ? toOutgoing(row) : null;
  }

  /** When that command is to be handed over, Unix ms; null when there is none. */
  nextDue(): number | null {
    return this.head()?.nextAt ?? null;
  }

  /** The relay has it durably: from here on its result alone is waited for. */
  markTaken(id: CommandId): void {
    this.#sql.exec('UPDATE outgoing SET taken = 1 WHERE id = ?', id);
  }

  /** Counts a failed handover; returns when to try again. */
  postpone(id: CommandId, attempts: number, nowMs: number): number {
    const nextAt = nowMs + decideHandoverWait(attempts);
    this.#sql.exec(
      'UPDATE outgoing SET attempts = ?, next_at = ? WHERE id = ?',
      attempts,
      nextAt,
      id,
    );
    return nextAt;
  }

  /** Forgets a command whose result is recorded. */
  remove(id: CommandId): void {
    this.#sql.exec('DELETE FROM outgoing WHERE id = ?', id);
  }

  /** Moves what the relay lacks to this epoch; what it has was asked before and arrives before. */
  moveTo(epoch: number): void {
    for (const { command, taken } of this.list())
      if (!taken)
        this.#sql.exec(
          'UPDATE outgoing SET command = ? WHERE id = ?',
          JSON.stringify({ ...command, epoch }),
          command.id,
        );
  }

  /** Forgets what an earlier epoch asked: its results no longer change this session. */
  removeOlderThan(epoch: number): void {
    for (const { command } of this.list()) if (command.epoch < epoch) this.remove(command.id);
  }
}

/** Our own record, written from a checked command. */
function toOutgoing(row: OutgoingRow): Outgoing {
  return {
    command: JSON.parse(row.command) as Command,
    taken: row.taken === 1,
    attempts: row.attempts,
    nextAt: row.next_at,
  };
}
