import { z } from 'zod';
import { actKind } from './act.ts';
import { breach } from './breach.ts';
import { driveName } from './drive-report.ts';
import { actId, commandId } from './ids.ts';
import { mergePolicy, policySource } from './merge-policy.ts';
import { actWitness, turnWitnessed, witnessLines } from './witness.ts';

/** Most acts that one write is told to be, and that one look tells of. */
export const DRIVE_ACTS_MAX = 100;

/** What a write to a terminal is held to, for a look at the refs once it is over. */
export const driveWatch = z.object({
  policy: z.object(mergePolicy.omit({ tools: true }).shape),
  /** The versions of it that were read; empty: nobody had said anything. */
  sources: z.array(policySource),
  /** What its words say that it does, under the ids of the ledger. */
  acts: z
    .array(
      z.object({
        actId,
        kind: actKind,
        command: z.string(),
        target: z.string().nullable(),
        uncertain: z.boolean(),
      }),
    )
    .max(DRIVE_ACTS_MAX),
  /** The policy asked a person about exactly this, and they said yes. */
  approved: z.boolean(),
});
export type DriveWatch = z.infer<typeof driveWatch>;

/**
 * Why the refs were looked at then. `ended`: the command, or its terminal, was over. `idle`: the
 * terminal waited for words again. `written`: something else was about to be written there. `late`:
 * nothing showed that it was over in the time that it is followed.
 */
const driveEnd = z.enum(['ended', 'idle', 'written', 'late']);
export type DriveEnd = z.infer<typeof driveEnd>;

/** An act of a write that a look at the refs is about. */
const witnessedAct = actWitness.extend({
  actId,
  /** What it is, where nobody had told of it; null for one that the write was told to be. */
  found: z.object({ kind: actKind, command: z.string(), target: z.string().nullable() }).nullable(),
});
export type WitnessedAct = z.infer<typeof witnessedAct>;

/** A breach of a write is of no turn. */
const driveBreach = breach.omit({ turnId: true });

/** What moved while a write to a terminal had its effect: sent again until it is confirmed. */
export const driveWitness = z.object({
  /** The command that was the write. */
  id: commandId,
  drive: driveName,
  at: z.int(),
  end: driveEnd,
  sources: z.array(policySource),
  /** Top of the repository that the terminal stood in. */
  directory: z.string(),
  /** What was looked at. */
  places: turnWitnessed.shape.places,
  acts: z.array(witnessedAct).max(DRIVE_ACTS_MAX),
  breaches: z.array(driveBreach).max(DRIVE_ACTS_MAX),
  /** Moved, author unknown: they halt nothing and blame nobody. */
  others: turnWitnessed.shape.others,
  /** How many more there were. */
  more: z.int().nonnegative(),
});
export type DriveWitness = z.infer<typeof driveWitness>;

/** The same as the list of an instance's calls shows it. */
export const driveLook = driveWitness.pick({ end: true, places: true, others: true, more: true });
export type DriveLook = z.infer<typeof driveLook>;

/** Why an instance writes nothing after a breach. */
export const HELD =
  'it did what the merge policy forbids, and writes nothing until a person says on its page, or with `pilothouse breaches override`, why it may go on; it may read';

const LOOKED: Record<DriveEnd, string> = {
  ended: 'once it was over',
  idle: 'once the terminal waited for words again',
  written: 'before something else was written there',
  late: 'while nothing showed that it was over',
};

/** What a look is to be told for beside the acts: where it looked, and what moved that is nobody’s. Pure. */
export function describeLook(look: DriveLook): string[] {
  const seen = look.places.flatMap(({ name, refs }) => (refs === null ? [] : [name]));
  const where = seen.length > 0 ? seen.join(', ') : 'nothing could be read';
  return [`Refs compared ${LOOKED[look.end]}: ${where}.`, ...witnessLines(look)];
}
