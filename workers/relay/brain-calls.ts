import type { TurnId } from '../../protocol/ids.ts';
import type { Over } from '../budgets/decide.ts';

/** A call of the Pilot's brain that is under way, or whose asker died. */
export type OpenCall = { callId: TurnId; step: number; model: string; at: number };
/** What became of calls of which the budgets have not confirmed that they know; `upTo` names them. */
export type OwedCalls = Over & { upTo: number };

type Row = { id: number; call_id: TurnId; step: number; model: string; at: number };

/**
 * The calls of a session's brain, from before a model is asked until the budgets know what came of
 * it: a word to them may be lost, and a process may die. Every call is synchronous.
 */
export class BrainCalls {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A model is about to be asked: from here on it may be charged. */
  ask({ callId, step, model, at }: OpenCall): void {
    this.#sql.exec(
      'INSERT INTO brain_calls (call_id, step, model, at) VALUES (?, ?, ?, ?)',
      callId,
      step,
      model,
      at,
    );
  }

  /** Those of which nothing is on record. */
  listOpen(): OpenCall[] {
    return this.#sql
      .exec<Row>('SELECT * FROM brain_calls WHERE became IS NULL ORDER BY id')
      .toArray()
      .map(({ call_id: callId, step, model, at }) => ({ callId, step, model, at }));
  }

  /** It is on record: with its figures, or as lost. */
  became(callId: TurnId, became: keyof Over): void {
    this.forget(callId);
    this.#sql.exec(
      "INSERT INTO brain_calls (call_id, step, model, at, became) VALUES (?, 0, '', 0, ?)",
      callId,
      became,
    );
  }

  /** It was never made. */
  forget(callId: TurnId): void {
    this.#sql.exec('DELETE FROM brain_calls WHERE call_id = ? AND became IS NULL', callId);
  }

  listOwed(): OwedCalls {
    const rows = this.#sql
      .exec<Row & { became: keyof Over }>(
        'SELECT * FROM brain_calls WHERE became IS NOT NULL ORDER BY id',
      )
      .toArray();
    const of = (became: keyof Over) =>
      rows.flatMap((row) => (row.became === became ? [row.call_id] : []));
    // One that was given up and answered all the same has its figures.
    const ended = of('ended');
    const lost = of('lost').filter((callId) => !ended.includes(callId));
    return { ended, lost, upTo: rows.at(-1)?.id ?? 0 };
  }

  /** The budgets know of all that was owed up to there. */
  told({ upTo }: OwedCalls): void {
    this.#sql.exec('DELETE FROM brain_calls WHERE became IS NOT NULL AND id <= ?', upTo);
  }
}
