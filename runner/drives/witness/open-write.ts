import { z } from 'zod';
import { driveName } from '../../../protocol/drive-report.ts';
import { driveWatch, driveWitness, type DriveWitness } from '../../../protocol/drive-witness.ts';
import { commandId } from '../../../protocol/ids.ts';
import { terminalTarget } from '../../../protocol/terminal.ts';
import { terminalScope } from '../../../protocol/terminal-command.ts';
import { besideWrite } from './beside.ts';
import { Followed } from '../followed.ts';
import type { Store } from '../../link/store.ts';
import type { Log } from '../../log.ts';
import type { Places } from '../../witness/places.ts';
import type { Snapshot } from '../../witness/snapshot.ts';

/** A write to a terminal whose effect is waited for, and where the refs were before it. */
const openWrite = z.object({
  id: commandId,
  drive: driveName,
  watch: driveWatch,
  scope: terminalScope,
  /** The terminal where it has its effect; null while it is only being made. */
  target: terminalTarget.nullable(),
  /** The terminal that it was written to. */
  pane: terminalTarget.nullable(),
  begunAt: z.int(),
  /** When the terminal took it; null while nobody knows. */
  writtenAt: z.int().nullable(),
  /** The command ended with 0. */
  succeeded: z.boolean(),
  /** Another operator wrote into a terminal of the same repository meanwhile. */
  shared: z.boolean(),
  /** What the same operator wrote there meanwhile, where its look is over already. */
  beside: z.array(besideWrite).default([]),
  restarted: z.boolean(),
  directory: z.string(),
  places: z.custom<Places>((value) => typeof value === 'object' && value !== null),
  before: z.custom<Snapshot>((value) => typeof value === 'object' && value !== null),
});
export type OpenWrite = z.infer<typeof openWrite>;

/** Writes whose effect is waited for, and what is to be told of them. */
export class WriteStore extends Followed<OpenWrite, DriveWitness> {
  constructor(store: Store, log: Log) {
    super(store, log, { table: 'write_looks', open: openWrite, report: driveWitness });
  }
}
