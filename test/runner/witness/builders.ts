import { actId } from '../../../protocol/ids.ts';
import type { Claim } from '../../../runner/witness/claims.ts';
import type { Evidence } from '../../../runner/witness/evidence.ts';
import type { Move } from '../../../runner/witness/snapshot.ts';

export const A = 'a'.repeat(40);
export const B = 'b'.repeat(40);

/** A branch of the remote that moved. */
export const aMove = (over: Partial<Move> = {}): Move => ({
  place: 'origin',
  remote: true,
  ref: 'refs/heads/main',
  before: A,
  after: B,
  ...over,
});

/** What an act says that it did. */
export const aClaim = (over: Partial<Claim> = {}): Claim => ({
  actId: actId.parse('act_1'),
  kind: 'push',
  command: 'git push origin main',
  target: 'origin main',
  gate: false,
  claimId: null,
  move: null,
  outcome: 'done',
  ...over,
});

/** What is known of a move: nothing that speaks for anybody, but for `over`. */
export const evidenceOf = (over: Partial<Evidence> = {}): Evidence => ({
  logged: false,
  own: false,
  held: false,
  fetched: false,
  forward: true,
  changes: { known: true, paths: [] },
  ...over,
});
