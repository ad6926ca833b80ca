import type { ActorId, RunnerId, TurnId } from '../../protocol/ids.ts';
import type {
  BudgetKey,
  BudgetVersion,
  CountedSpend,
  TurnGrant,
} from '../../protocol/shared-budget.ts';
import type { Place, Spender } from '../lib/calls.ts';
import { scopeKeyOf } from '../policy/scope.ts';
import type { Reservation, Used } from './decide.ts';

/** A budget's key as one text. */
export const nameOf = ({ scope, unit, renews }: BudgetKey): string =>
  `${unit} ${renews} ${scopeKeyOf(scope)}`;

type GrantRow = {
  turn_id: TurnId;
  kind: Reservation['kind'];
  session_id: Spender;
  runner_id: RunnerId;
  directory: string | null;
  at: number;
  micro_usd: number | null;
  paid_micro_usd: number | null;
  tokens: number | null;
  time_ms: number | null;
  ended: number;
};
type SpendRow = {
  all_micro_usd: number;
  paid_micro_usd: number;
  tokens: number;
  time_ms: number;
};
type ChargeRow = SpendRow & { runner_id: RunnerId; directory: string; turns: number };

/** Charges are summed by so long, in ms: the day of every zone begins at a quarter of an hour. */
const QUARTER_MS = 15 * 60_000;

/** So long a turn that is over is known, in ms: its session knows it by then, and hands over none again. */
const KNOWN_MS = 30 * 24 * 3_600_000;

/** Where no directory is a person's. */
const NOWHERE = '';

/** Rows of an account's budgets; no decisions here. Every call is synchronous. */
export class BudgetStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The newest version of each budget that there is or was. */
  listNewest(): BudgetVersion[] {
    return this.#sql
      .exec<{ budget: string }>(
        'SELECT budget, MAX(version) FROM budgets GROUP BY name ORDER BY name',
      )
      .toArray()
      .map(({ budget }) => JSON.parse(budget) as BudgetVersion);
  }

  /** Up to `limit` versions of one budget, the newest first. */
  listVersions(name: string, limit: number): BudgetVersion[] {
    return this.#sql
      .exec<{ budget: string }>(
        'SELECT budget FROM budgets WHERE name = ? ORDER BY version DESC LIMIT ?',
        name,
        limit,
      )
      .toArray()
      .map(({ budget }) => JSON.parse(budget) as BudgetVersion);
  }

  addVersion(budget: BudgetVersion, actorId: ActorId): void {
    this.#sql.exec(
      'INSERT INTO budgets (name, version, budget, actor_id) VALUES (?, ?, ?, ?)',
      nameOf(budget),
      budget.version,
      JSON.stringify(budget),
      actorId,
    );
  }

  /** What was granted to a turn, over or not; undefined for a turn without any. */
  readGrant(turnId: TurnId): TurnGrant | undefined {
    const row = this.#sql
      .exec<GrantRow>('SELECT * FROM grants WHERE turn_id = ?', turnId)
      .toArray()[0];
    return row && grantOf(row);
  }

  /** The grants of turns that are not over. */
  listHeld(): Reservation[] {
    return this.#sql.exec<GrantRow>('SELECT * FROM grants WHERE ended = 0').toArray().map(readHeld);
  }

  /** The same of one session, or of one operator's agent. */
  listHeldBy(spender: Spender): Reservation[] {
    return this.#sql
      .exec<GrantRow>('SELECT * FROM grants WHERE session_id = ? AND ended = 0', spender)
      .toArray()
      .map(readHeld);
  }

  /** Holds a grant; those that were over long ago are forgotten. */
  hold({ turnId, kind, sessionId, runnerId, directory, at, ...grant }: Reservation): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO grants (turn_id, kind, session_id, runner_id, directory, at, micro_usd,
         paid_micro_usd, tokens, time_ms, ended)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
      turnId,
      kind,
      sessionId,
      runnerId,
      directory,
      at,
      grant.microUsd,
      grant.paidMicroUsd,
      grant.tokens ?? null,
      grant.timeMs ?? null,
    );
    this.#sql.exec('DELETE FROM grants WHERE ended = 1 AND at < ?', at - KNOWN_MS);
  }

  /** A grant that is over holds nothing. Answers what it held before; undefined if nothing. */
  end(sessionId: Spender, turnId: TurnId): Reservation | undefined {
    return this.#sql
      .exec<GrantRow>(
        'UPDATE grants SET ended = 1 WHERE turn_id = ? AND session_id = ? AND ended = 0 RETURNING *',
        turnId,
        sessionId,
      )
      .toArray()
      .map(readHeld)[0];
  }

  /** A call of which no figure came holds nothing any more, and is charged at that time. */
  lose(sessionId: Spender, turnId: TurnId, at: number): Reservation | undefined {
    return this.#sql
      .exec<GrantRow>(
        `UPDATE grants SET ended = 1, charged_at = ?
         WHERE turn_id = ? AND session_id = ? AND ended = 0 RETURNING *`,
        at,
        turnId,
        sessionId,
      )
      .toArray()
      .map(readHeld)[0];
  }

  /** It has a figure after all. Answers what was charged for it, and when; undefined if nothing. */
  findAfterAll(
    sessionId: Spender,
    turnId: TurnId,
  ): (Reservation & { chargedAt: number }) | undefined {
    const [row] = this.#sql
      .exec<GrantRow & { charged_at: number }>(
        `SELECT * FROM grants
         WHERE turn_id = ? AND session_id = ? AND charged_at IS NOT NULL`,
        turnId,
        sessionId,
      )
      .toArray();
    if (!row) return undefined;
    this.#sql.exec('UPDATE grants SET charged_at = NULL WHERE turn_id = ?', turnId);
    return { ...readHeld(row), chargedAt: row.charged_at };
  }

  /** As if it had never been granted. */
  release(sessionId: Spender, turnId: TurnId): void {
    this.#sql.exec(
      'DELETE FROM grants WHERE turn_id = ? AND session_id = ? AND ended = 0',
      turnId,
      sessionId,
    );
  }

  /** What of a session is charged already; undefined for one that is not known here. */
  readSpend(sessionId: Spender): CountedSpend | undefined {
    const row = this.#sql
      .exec<SpendRow>('SELECT * FROM sessions WHERE session_id = ?', sessionId)
      .toArray()[0];
    return row && spendOf(row);
  }

  writeSpend(sessionId: Spender, { all, paid, tokens, timeMs }: CountedSpend): void {
    this.#sql.exec(
      `INSERT INTO sessions (session_id, all_micro_usd, paid_micro_usd, tokens, time_ms)
       VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET
         all_micro_usd = excluded.all_micro_usd, paid_micro_usd = excluded.paid_micro_usd,
         tokens = excluded.tokens, time_ms = excluded.time_ms`,
      sessionId,
      all,
      paid,
      tokens,
      timeMs,
    );
  }

  /** Adds to what was used at a place in the quarter of an hour of `at`. */
  charge({ runnerId, directory }: Place, used: Used, at: number): void {
    this.#sql.exec(
      `INSERT INTO charges (at, runner_id, directory, all_micro_usd, paid_micro_usd, turns, tokens, time_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (at, runner_id, directory) DO UPDATE SET
         all_micro_usd = all_micro_usd + excluded.all_micro_usd,
         paid_micro_usd = paid_micro_usd + excluded.paid_micro_usd,
         turns = turns + excluded.turns, tokens = tokens + excluded.tokens,
         time_ms = time_ms + excluded.time_ms`,
      Math.floor(at / QUARTER_MS) * QUARTER_MS,
      runnerId,
      directory ?? NOWHERE,
      used.all,
      used.paid,
      used.turns,
      used.tokens,
      used.timeMs,
    );
  }

  /** What was charged since a time (Unix ms), summed by place. */
  sumSince(from: number): (Place & Used)[] {
    return this.#sql
      .exec<ChargeRow>(
        `SELECT runner_id, directory, SUM(all_micro_usd) AS all_micro_usd,
           SUM(paid_micro_usd) AS paid_micro_usd, SUM(turns) AS turns, SUM(tokens) AS tokens,
           SUM(time_ms) AS time_ms
         FROM charges WHERE at >= ? GROUP BY runner_id, directory`,
        from,
      )
      .toArray()
      .map((row) => ({
        runnerId: row.runner_id,
        directory: row.directory === NOWHERE ? null : row.directory,
        turns: row.turns,
        ...spendOf(row),
      }));
  }

  /** The highest mark that was told of a budget in a period, in percent. */
  readMark(budget: BudgetVersion, from: number): number {
    const row = this.#sql
      .exec<{ mark: number }>(
        'SELECT mark FROM told WHERE name = ? AND from_ms = ? AND version = ?',
        nameOf(budget),
        from,
        budget.version,
      )
      .toArray()[0];
    return row?.mark ?? 0;
  }

  writeMark(budget: BudgetVersion, from: number, mark: number): void {
    this.#sql.exec(
      `INSERT INTO told (name, from_ms, version, mark) VALUES (?, ?, ?, ?)
       ON CONFLICT (name, from_ms, version) DO UPDATE SET mark = excluded.mark`,
      nameOf(budget),
      from,
      budget.version,
      mark,
    );
  }
}

const grantOf = (row: GrantRow): TurnGrant => ({
  microUsd: row.micro_usd,
  paidMicroUsd: row.paid_micro_usd,
  tokens: row.tokens ?? undefined,
  timeMs: row.time_ms ?? undefined,
});

const spendOf = (row: SpendRow): CountedSpend => ({
  all: row.all_micro_usd,
  paid: row.paid_micro_usd,
  tokens: row.tokens,
  timeMs: row.time_ms,
});

const readHeld = (row: GrantRow): Reservation => ({
  turnId: row.turn_id,
  kind: row.kind,
  sessionId: row.session_id,
  runnerId: row.runner_id,
  directory: row.directory,
  at: row.at,
  ...grantOf(row),
});
