import { z } from 'zod';
import { driveWatch } from '../../../protocol/drive-witness.ts';
import { actId } from '../../../protocol/ids.ts';
import { type RefMove, refMove } from '../../../protocol/witness.ts';
import { claimOf, type Claim } from '../../witness/claims.ts';
import type { Judged } from './judge-write.ts';

/** Writes of the same operator that are kept for one which is still followed. */
export const BESIDE_MAX = 50;

/**
 * What the same operator wrote into another terminal of the repository while a write had its effect:
 * the refs do not say from which of the two they were moved.
 */
export const besideWrite = z.object({
  callId: z.string(),
  acts: driveWatch.shape.acts,
  approved: z.boolean(),
  succeeded: z.boolean(),
  /** What the look at it found to be the operator's; empty while it is followed itself. */
  told: z.array(z.object({ actId, move: refMove })),
});
export type BesideWrite = z.infer<typeof besideWrite>;

/** What a write says of itself to one that was followed at the same time. Pure. */
export function besideOf(
  { callId }: { callId: string },
  { acts, approved }: z.infer<typeof driveWatch>,
  succeeded: boolean,
  judged: Pick<Judged, 'acts'> | null,
): BesideWrite {
  const told = (judged?.acts ?? []).flatMap(({ actId: id, move }) =>
    move === null ? [] : [{ actId: id, move }],
  );
  return { callId, acts, approved, succeeded, told };
}

/** What a write was told to do, as claims about refs. Pure. */
export const claimsOf = ({ acts, callId, succeeded }: Omit<BesideWrite, 'told'>): Claim[] =>
  acts.flatMap((act) => {
    const claim = claimOf({ ...act, turnId: null, toolId: callId, witness: 'instructed' });
    return claim ? [{ ...claim, outcome: succeeded ? 'done' : 'unknown' }] : [];
  });

/** Whether another write of the operator has been found to be this very move. Pure. */
export const isTold = (move: RefMove, beside: readonly BesideWrite[]): boolean =>
  beside.some(({ told }) =>
    told.some(
      ({ move: other }) =>
        other.place === move.place &&
        other.ref === move.ref &&
        other.before === move.before &&
        other.after === move.after,
    ),
  );
