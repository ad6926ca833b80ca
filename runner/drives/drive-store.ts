import { z } from 'zod';
import { driveName, driveReport, type DriveReport } from '../../protocol/drive-report.ts';
import { type CommandId, commandId } from '../../protocol/ids.ts';
import { parseColumn, type Store } from '../link/store.ts';

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
});
export type OpenDrive = z.infer<typeof openDrive>;

/** Writes that are followed, and reports that the cloud has not confirmed. */
export class DriveStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
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
    return this.#column('open').map((each) => openDrive.parse(each));
  }

  /** It is followed no more; what it came to waits to be confirmed. */
  report(report: DriveReport): void {
    this.#store.db
      .prepare('UPDATE drives SET open = NULL, report = ? WHERE id = ?')
      .run(JSON.stringify(report), report.id);
  }

  listReports(): DriveReport[] {
    return this.#column('report').map((each) => driveReport.parse(each));
  }

  /** It led to nothing, or the cloud has it. */
  remove(id: CommandId): void {
    this.#store.db.prepare('DELETE FROM drives WHERE id = ?').run(id);
  }

  #column(name: 'open' | 'report'): unknown[] {
    const rows = this.#store.db
      .prepare(`SELECT ${name} AS json FROM drives WHERE ${name} IS NOT NULL ORDER BY at`)
      .all();
    return rows.map((row) => parseColumn(row['json'], `drives.${name}`));
  }
}
