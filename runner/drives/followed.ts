import type { z } from 'zod';
import type { CommandId } from '../../protocol/ids.ts';
import { parseJson } from '../json.ts';
import type { Store } from '../link/store.ts';
import type { Log } from '../log.ts';

/** Where what is followed is kept, and what stands in it. */
type FollowedOptions<Open, Report> = {
  table: 'drives' | 'write_looks';
  open: z.ZodType<Open>;
  report: z.ZodType<Report>;
};

/**
 * Writes that are followed, and reports that the cloud has not confirmed. What stands in them comes
 * from files of other programs: nothing that cannot be read again is kept, and a row that cannot be
 * read costs its own report and no others.
 */
export class Followed<
  Open extends { id: CommandId; begunAt: number },
  Report extends { id: CommandId },
> {
  readonly #store: Store;
  readonly #log: Log;
  readonly #options: FollowedOptions<Open, Report>;

  constructor(store: Store, log: Log, options: FollowedOptions<Open, Report>) {
    this.#store = store;
    this.#log = log;
    this.#options = options;
  }

  save(open: Open): void {
    this.#store.db
      .prepare(
        `INSERT INTO ${this.#options.table} (id, open, report, at) VALUES (?, ?, NULL, ?)
         ON CONFLICT (id) DO UPDATE SET open = excluded.open`,
      )
      .run(open.id, JSON.stringify(open), open.begunAt);
  }

  listOpen(): Open[] {
    return this.#list('open', this.#options.open);
  }

  /** It is followed no more; what it came to waits to be confirmed. False: it cannot be told. */
  report(report: Report): boolean {
    const { success, error } = this.#options.report.safeParse(report);
    if (!success) {
      this.#drop(report.id, error.message);
      return false;
    }
    this.#store.db
      .prepare(`UPDATE ${this.#options.table} SET open = NULL, report = ? WHERE id = ?`)
      .run(JSON.stringify(report), report.id);
    return true;
  }

  listReports(): Report[] {
    return this.#list('report', this.#options.report);
  }

  /** It led to nothing, or the cloud has it. */
  remove(id: CommandId): void {
    this.#store.db.prepare(`DELETE FROM ${this.#options.table} WHERE id = ?`).run(id);
  }

  #list<T>(name: 'open' | 'report', schema: z.ZodType<T>): T[] {
    const rows = this.#store.db
      .prepare(
        `SELECT id, ${name} AS json FROM ${this.#options.table} WHERE ${name} IS NOT NULL ORDER BY at, id`,
      )
      .all();
    return rows.flatMap(({ id, json }) => {
      const { success, data, error } = schema.safeParse(parseJson(String(json)));
      if (success) return [data];
      this.#drop(String(id), error.message);
      return [];
    });
  }

  #drop(id: string, reason: string): void {
    this.#log('warning', 'what a write to a terminal came to is not told: it cannot be read', {
      command: id,
      reason,
    });
    this.#store.db.prepare(`DELETE FROM ${this.#options.table} WHERE id = ?`).run(id);
  }
}
