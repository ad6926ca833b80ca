import { type Digest, digest, type DigestChoice } from '../../protocol/digest.ts';
import { dayOf, nextDigest } from './digest-time.ts';

type Row = {
  at: number;
  time_zone: string;
  due_at: number;
};
type Told = { last_day: string; told: string };

/** Longest that a digest looks back, in ms: after a holiday it tells of the last week. */
const LOOK_BACK_MS = 7 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** After a digest that could not be made. */
const AGAIN_MS = 5 * 60_000;

/** When an account's digest comes, and which was the last one: kept in its bell. */
export class DigestStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  readChoice(): DigestChoice | null {
    const row = this.#row();
    return row && { at: row.at, timeZone: row.time_zone };
  }

  /** The last one that was made; null before the first. */
  readLast(): Digest | null {
    const told = this.#told();
    return told && digest.parse(JSON.parse(told.told));
  }

  /** Chooses when it comes. A day that had one gets no other, whatever time is chosen. */
  choose(choice: DigestChoice | null, nowMs: number): void {
    this.#sql.exec('DELETE FROM digest');
    if (choice === null) return;
    this.#sql.exec(
      'INSERT INTO digest (one, at, time_zone, due_at) VALUES (1, ?, ?, ?)',
      choice.at,
      choice.timeZone,
      nextDigest(choice, nowMs, this.#told()?.last_day ?? null),
    );
  }

  /** When the next one is due, Unix ms; null where none is chosen. */
  dueAt(): number | null {
    return this.#row()?.due_at ?? null;
  }

  /** What a digest that is made now tells of: all since the last one, or of a day where none comes. */
  rangeAt(nowMs: number): { from: number; to: number } {
    const last = (this.#row() && this.readLast()?.to) ?? nowMs - DAY_MS;
    return { from: Math.max(last, nowMs - LOOK_BACK_MS), to: nowMs };
  }

  /** Keeps what a digest told, and when the next one is due. Answers the day that it is of. */
  keep(told: Digest, choice: DigestChoice): string {
    const day = dayOf(told.to, choice.timeZone);
    this.#sql.exec(
      'INSERT OR REPLACE INTO digest_told (one, last_day, told) VALUES (1, ?, ?)',
      day,
      JSON.stringify(told),
    );
    this.#sql.exec('UPDATE digest SET due_at = ?', nextDigest(choice, told.to, day));
    return day;
  }

  /** Tries again soon what could not be made now. */
  postpone(nowMs: number): void {
    this.#sql.exec('UPDATE digest SET due_at = ?', nowMs + AGAIN_MS);
  }

  #row(): Row | null {
    return this.#sql.exec<Row>('SELECT * FROM digest').toArray()[0] ?? null;
  }

  #told(): Told | null {
    return this.#sql.exec<Told>('SELECT * FROM digest_told').toArray()[0] ?? null;
  }
}
