import type { TurnId } from '../../protocol/ids.ts';
import type { Over } from '../budgets/decide.ts';

/** A call of the Pilot's brain that is under way, or whose asker died. */
export type OpenCall = { callId: TurnId; step: number; model: string; at: number };
/** `asked`: its model may have been, for the budgets let it. `id` tells those of one step apart. */
type KeptCall = OpenCall & { id: number; asked: boolean };
/** What became of calls of which the budgets have not confirmed that they know; `upTo` names them. */
export type OwedCalls = Over & { upTo: number };

type Row = {
  id: number;
  call_id: TurnId;
  step: number;
  model: string;
  at: number;
  asked: number;
};

/**
 * The calls of a session's brain, from before a model is asked until the budgets know what came of
 * it: a word to them may be lost, and a process may die. Two that ask for the same step at once are
 * two calls of one name: whichever answers, the other one stays open. Every call is synchronous.
 */
export class BrainCalls {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The budgets are about to be asked for it: something may be held, and nothing is charged. */
  open(call: OpenCall): void {
    this.#insert(call, 0);
  }

  /** The budgets let it, and its model is about to be asked: from here on it may be charged. */
  ask(call: OpenCall): void {
    // Somebody else may have given it up meanwhile, as one that was never asked.
    this.#sql.exec(
      "DELETE FROM brain_calls WHERE call_id = ? AND (became = 'ended' OR (became IS NULL AND asked = 0))",
      call.callId,
    );
    this.#insert(call, 1);
  }

  /** Those of which nothing is on record. */
  listOpen(): KeptCall[] {
    return this.#sql
      .exec<Row>('SELECT * FROM brain_calls WHERE became IS NULL ORDER BY id')
      .toArray()
      .map(({ id, call_id: callId, step, model, at, asked }) => {
        return { id, callId, step, model, at, asked: asked === 1 };
      });
  }

  /** An answer of it is on record: with its figures, or as lost. */
  became(callId: TurnId, became: keyof Over): void {
    this.forget(callId);
    this.#owe(callId, became);
  }

  /** One of those that are open is given up: lost, or ended with no figures where it was never asked. */
  giveUp({ id, callId, asked }: KeptCall): void {
    this.#sql.exec('DELETE FROM brain_calls WHERE id = ?', id);
    this.#owe(callId, asked ? 'lost' : 'ended');
  }

  #owe(callId: TurnId, became: keyof Over): void {
    this.#sql.exec(
      "INSERT INTO brain_calls (call_id, step, model, at, became) VALUES (?, 0, '', 0, ?)",
      callId,
      became,
    );
  }

  /** The budgets did not let one of this name. */
  refused(callId: TurnId): void {
    this.#close(callId, 0);
  }

  /** One of this name that was let is over, or was never made. */
  forget(callId: TurnId): void {
    this.#close(callId, 1);
  }

  #close(callId: TurnId, asked: 0 | 1): void {
    this.#sql.exec(
      `DELETE FROM brain_calls WHERE id =
        (SELECT MIN(id) FROM brain_calls WHERE call_id = ? AND became IS NULL AND asked = ?)`,
      callId,
      asked,
    );
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

  #insert({ callId, step, model, at }: OpenCall, asked: 0 | 1): void {
    this.#sql.exec(
      'INSERT INTO brain_calls (call_id, step, model, at, asked) VALUES (?, ?, ?, ?, ?)',
      callId,
      step,
      model,
      at,
      asked,
    );
  }

  /** The budgets know of all that was owed up to there. */
  told({ upTo }: OwedCalls): void {
    this.#sql.exec('DELETE FROM brain_calls WHERE became IS NOT NULL AND id <= ?', upTo);
  }
}
