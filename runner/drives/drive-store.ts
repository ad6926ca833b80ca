import { z } from 'zod';
import { driveName, driveReport, type DriveReport } from '../../protocol/drive-report.ts';
import { type CommandId, commandId } from '../../protocol/ids.ts';
import { parseJson } from '../json.ts';
import type { Store } from '../link/store.ts';
import type { Log } from '../log.ts';

const place = z.record(z.string(), z.int().nonnegative());

/** A write to a coding agent whose cost is waited for, and where its conversation stood. */
export const openDrive = z.object({
  id: commandId,
  drive: driveName,
  engine: z.string(),
  pid: z.int(),
  sessionId: z.string(),
  projects: z.string(),
  begunAt: z.int(),
  from: place,
  /** Where the next write to the same conversation began; null while there is none. */
  until: place.nullable(),
  /** The terminal took it, or nobody can tell any more whether it did. */
  written: z.boolean().default(true),
});
export type OpenDrive = z.infer<typeof openDrive>;

/**
 * Writes that are followed, and reports that the cloud has not confirmed. What stands in them comes
 * from files of other programs: nothing that cannot be read again is kept, and a row that cannot be
 * read costs its own figures and no others.
 */
export class DriveStore {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  save(drive: OpenDrive): void {
    this.#store.db
      .prepare(
        `INSERT INTO drives (id, open, report, at) VALUES (?, ?, NULL, ?)
         ON CONFLICT (id) DO UPDATE SET open = excluded.open`,
      )
      .run(drive.id, JSON.stringify(drive), drive.begunAt);
  }

  listOpen(): OpenDrive[] {
    return this.#list('open', openDrive);
  }

  /** It is followed no more; what it came to waits to be confirmed. False: it cannot be told. */
  report(report: DriveReport): boolean {
    const { success, error } = driveReport.safeParse(report);
    if (!success) {
      this.#drop(report.id, error.message);
      return false;
    }
    this.#store.db
      .prepare('UPDATE drives SET open = NULL, report = ? WHERE id = ?')
      .run(JSON.stringify(report), report.id);
    return true;
  }

  listReports(): DriveReport[] {
    return this.#list('report', driveReport);
  }

  /** It led to nothing, or the cloud has it. */
  remove(id: CommandId): void {
    this.#store.db.prepare('DELETE FROM drives WHERE id = ?').run(id);
  }

  #list<T>(name: 'open' | 'report', schema: z.ZodType<T>): T[] {
    const rows = this.#store.db
      .prepare(`SELECT id, ${name} AS json FROM drives WHERE ${name} IS NOT NULL ORDER BY at, id`)
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
    this.#store.db.prepare('DELETE FROM drives WHERE id = ?').run(id);
  }
}
