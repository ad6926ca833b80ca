import {
  DRIVE_ACTS_MAX,
  type DriveWatch,
  type DriveWitness,
  type WitnessedAct,
} from '../../../protocol/drive-witness.ts';
import type { InstanceId } from '../../../protocol/ids.ts';
import { MAX_OTHER_MOVES } from '../../../protocol/witness.ts';
import { findBreaches, type PolicyRules } from '../../witness/breaches.ts';
import { fitOf, type Claim } from '../../witness/claims.ts';
import {
  bestClaim,
  findUnmoved,
  isAsked,
  refMoveOf,
  type SessionMove,
  type WitnessReport,
  witnessedActId,
  wordsOf,
} from '../../witness/join.ts';
import { type BesideWrite, claimsOf, isTold } from './beside.ts';
import { decideWriter, type Company } from './decide-writer.ts';

export type JudgeRequest = {
  instanceId: InstanceId;
  callId: string;
  watch: DriveWatch;
  /** The command ended with 0; what is typed never says so. */
  succeeded: boolean;
  found: Pick<WitnessReport, 'places' | 'moves' | 'top' | 'head'>;
  rules: PolicyRules;
  company: Company;
  /** What the same operator wrote into other terminals of the repository meanwhile. */
  beside: readonly BesideWrite[];
};

export type Judged = Pick<DriveWitness, 'places' | 'acts' | 'breaches' | 'others' | 'more'>;

/**
 * Joins what a write was told to do with what moved, and judges what is the operator's: what its
 * words did not show, and the policy forbids. What the gate read and let through, and what the policy
 * asked a person about, is no breach; neither is what another write of the operator may do just then.
 * Pure.
 */
export function judgeWrite(request: JudgeRequest): Judged {
  const { instanceId, callId, watch, succeeded, found, rules, company, beside } = request;
  const own = { callId, acts: watch.acts, approved: watch.approved, succeeded };
  const claims = claimsOf(own);
  const writes = [own, ...beside].toSorted((one, other) => +other.approved - +one.approved);
  // Of two that fit a move as well, the one that a person was asked about is it.
  const all = writes.flatMap(({ approved, ...write }) =>
    claimsOf({ ...write, approved }).map((claim) => ({ claim, approved })),
  );
  const allClaims = all.map(({ claim }) => claim);
  const approved = new Set(all.flatMap((each) => (each.approved ? [each.claim] : [])));
  const asked = isAsked(found, allClaims);
  const acts: WitnessedAct[] = [];
  const moves: SessionMove[] = [];
  const others: Judged['others'] = [];
  for (const judged of found.moves) {
    const move = refMoveOf(judged.move);
    if (isTold(move, beside)) continue;
    const claim = bestClaim(allClaims, judged.move);
    const writer = decideWriter(judged.move, judged.evidence, claim, company, asked);
    if (writer.by === 'unknown') {
      others.push({ ...move, reason: writer.reason });
      continue;
    }
    const evidence = writer.reason;
    const actId = claim?.actId ?? witnessedActId(instanceId, move);
    const seen = { actId, by: 'git' as const, move, evidence };
    if (claim) acts.push({ ...seen, finding: 'confirmed', found: null });
    else if (judged.kind)
      acts.push({
        ...seen,
        finding: 'unclaimed',
        found: { kind: judged.kind, ...wordsOf(move) },
      });
    moves.push({ judged, actId, claim, evidence });
  }
  const confirmed = new Set(acts.map(({ actId }) => actId));
  const settled = new Set([
    ...confirmed,
    ...beside.flatMap(({ told }) => told.map(({ actId }) => actId)),
  ]);
  const unmoved = claims.flatMap((claim) => findUnmoved(claim, settled, found, claims));
  const breaches = findBreaches({
    turnId: null,
    report: { ...found, rules },
    moves: moves.filter((each) => !isLetThrough(each, approved)),
    claims: [],
    settled: confirmed,
    allowed: [],
    made: [],
  });
  const broken = new Set(breaches.map(({ actId }) => actId));
  return {
    places: found.places.map(({ name, refs, skipped }) => ({
      name,
      refs: skipped === null && refs ? Object.keys(refs).length : null,
      skipped,
    })),
    // Of a mirror’s thousand refs those are told of that are breaches, and then some.
    acts: [
      ...acts.filter(({ actId }) => broken.has(actId)),
      ...acts.filter(({ actId }) => !broken.has(actId)),
      ...unmoved.map(({ type: _type, ...witness }) => ({ ...witness, found: null })),
    ].slice(0, DRIVE_ACTS_MAX),
    breaches: breaches.slice(0, DRIVE_ACTS_MAX).map(({ turnId: _turnId, ...breach }) => ({
      ...breach,
      rule: ofOperator(breach.rule),
    })),
    others: others.slice(0, MAX_OTHER_MOVES),
    more: Math.max(0, others.length - MAX_OTHER_MOVES),
  };
}

/** Whether the gate read in the words that this would move, and how, or a person was asked about it. */
function isLetThrough({ judged, claim }: SessionMove, approved: ReadonlySet<Claim>): boolean {
  if (!claim) return false;
  if (approved.has(claim)) return true;
  const rewrites = judged.kind === 'force_push';
  return (
    claim.uncertain !== true &&
    fitOf(claim, judged.move) >= 2 &&
    (!rewrites || claim.kind === 'force_push')
  );
}

/** The same rules hold sessions, and are worded for them. */
const ofOperator = (rule: string): string =>
  rule
    .replace('The policy of the session', 'The merge policy')
    .replaceAll(/\b(this|the) session\b/g, 'the operator')
    .replaceAll(/\bsessions\b/g, 'operators')
    .replaceAll(/\bno session\b/g, 'no operator');

/** Whether there is anything to tell of a look. Pure. */
export const isNews = ({ acts, breaches, others }: Judged): boolean =>
  acts.length + breaches.length + others.length > 0;
