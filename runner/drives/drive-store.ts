import { z } from 'zod';
import { driveName, driveReport, type DriveReport } from '../../protocol/drive-report.ts';
import { commandId } from '../../protocol/ids.ts';
import type { Store } from '../link/store.ts';
import type { Log } from '../log.ts';
import { Followed } from './followed.ts';

const place = z.record(z.string(), z.int().nonnegative());

/** A write to a coding agent whose cost is waited for, and where its conversation stood. */
const openDrive = z.object({
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

/** Writes whose cost is waited for, and what is to be told of them. */
export class DriveStore extends Followed<OpenDrive, DriveReport> {
  constructor(store: Store, log: Log) {
    super(store, log, { table: 'drives', open: openDrive, report: driveReport });
  }
}
