import { createHash } from 'node:crypto';
import type { ActKind } from '../../protocol/act.ts';
import type { EngineEvent, EventOf } from '../../protocol/engine-event.ts';
import {
  actId,
  type ActId,
  type InstanceId,
  type SessionId,
  type TurnId,
} from '../../protocol/ids.ts';
import { MAX_OTHER_MOVES, type RefMove } from '../../protocol/witness.ts';
import type { PolicyRules } from './breaches.ts';
import { asksForge } from '../gate/act-policy.ts';
import type { PushCommand } from '../gate/policy.ts';
import { BESIDE, decideAuthor, type GuardWord, mayBeAsked } from './author.ts';
import { fitOf, sendsRefs, type Claim } from './claims.ts';
import type { Evidence } from './evidence.ts';
import type { Move, PlaceSnapshot } from './snapshot.ts';

/** Everything that a comparison of refs found. */
export type WitnessReport = {
  places: readonly Pick<PlaceSnapshot, 'name' | 'refs' | 'skipped' | 'head'>[];
  moves: readonly JudgedMove[];
  elapsedMs: number;
  /** The person's working tree, and the branch that it has checked out now. */
  top: string;
  head: string | null;
  /** The session works in the person's repository itself, and shares its reflogs. */
  inPlace?: boolean;
  /** The session's policy as far as the machine lets it go. */
  rules: PolicyRules;
};

export type JudgedMove = {
  move: Move;
  /** What kind of act it is; null for what is none, such as a commit on the branch worked on. */
  kind: ActKind | null;
  evidence: Evidence;
  /** The branch that others build on there; null where none is known. */
  defaultBranch: string | null;
};

/** A move that is this session's, the act that it became, and by what it is the session's. */
export type SessionMove = {
  judged: JudgedMove;
  actId: ActId;
  claim: Claim | null;
  evidence: string;
};

export type Joined = {
  events: EngineEvent[];
  moves: SessionMove[];
  /** Moves that were made beside the session, from the directory that it shares with a person. */
  beside: SessionMove[];
  /** Claims that the refs speak for, or against. */
  settled: ReadonlySet<ActId>;
};

export type JoinRequest = {
  sessionId: SessionId;
  turnId: TurnId;
  report: WitnessReport;
  claims: readonly Claim[];
  /** The engine tells its acts, so that one it did not tell is odd. */
  tellsActs: boolean;
  /** What its guard let go, and whether it would have seen all that the session pushed in good faith. */
  guard?: { passed: readonly PushCommand[]; sees: boolean };
};

/**
 * Joins what was claimed and what was seen into acts: one act each, whoever saw it. What moved by
 * somebody else, or by nobody knows whom, is told beside them and is no act. Pure.
 */
export function joinReport(request: JoinRequest): Joined {
  const { sessionId, turnId, report, claims } = request;
  const others: (RefMove & { reason: string })[] = [];
  const events: EngineEvent[] = [];
  const moves: SessionMove[] = [];
  const beside: SessionMove[] = [];
  const confirmed = new Set<ActId>();
  const asked = isAsked(report, claims);
  for (const judged of report.moves) {
    const claim = bestClaim(claims, judged.move);
    const word = wordOf(judged.move, request);
    const author = decideAuthor(judged.move, judged.evidence, claim, asked, word);
    const move = refMoveOf(judged.move);
    if (author.by === 'unknown') others.push({ ...move, reason: author.reason });
    else if (claim) {
      events.push(...confirm(claim, move, author.reason));
      confirmed.add(claim.actId);
      if (claim.claimId) confirmed.add(claim.claimId);
    } else if (judged.kind) events.push(...discover(request, judged, author.reason));
    if (author.by === 'session' || author === BESIDE) {
      const actId = claim?.actId ?? witnessedActId(sessionId, move);
      const found = { judged, actId, claim, evidence: author.reason };
      (author === BESIDE ? beside : moves).push(found);
    }
  }
  const unmoved = claims.flatMap((claim) => findUnmoved(claim, confirmed, report, claims));
  events.push(...unmoved);
  const against = unmoved.flatMap((each) => (each.type === 'act/witnessed' ? [each.actId] : []));
  const witnessed = {
    type: 'turn/witnessed',
    turnId,
    places: report.places.map(({ name, refs, skipped }) => ({
      name,
      refs: skipped === null && refs ? Object.keys(refs).length : null,
      skipped,
    })),
    others: others.slice(0, MAX_OTHER_MOVES),
    more: Math.max(0, others.length - MAX_OTHER_MOVES),
    elapsedMs: report.elapsedMs,
  } as const;
  return {
    events: [...events, { ...witnessed, places: [...witnessed.places] }],
    moves,
    beside,
    settled: new Set([...confirmed, ...against]),
  };
}

function wordOf({ remote, ref, after }: Move, { guard, report }: JoinRequest): GuardWord {
  if (!guard || !remote) return null;
  const sent = (each: PushCommand) => each.after.replace(/^0+$/, '') === (after ?? '');
  if (guard.passed.some((each) => each.ref === ref && sent(each))) return 'passed';
  return guard.sees && report.inPlace ? 'unseen' : null;
}

/** Whether no more branches look merged by a forge than a forge was asked to merge: colleagues push too. */
export function isAsked(
  { moves }: Pick<WitnessReport, 'moves'>,
  claims: readonly Claim[],
): boolean {
  const looking = moves.filter(({ move, evidence }) =>
    mayBeAsked(move, evidence, bestClaim(claims, move)),
  );
  const asks = claims.filter(
    (claim) => claim.kind === 'merge' && claim.outcome === 'done' && asksForge(claim),
  );
  return looking.length <= asks.length;
}

/** The claim that fits a move best; null where none does. */
export function bestClaim(claims: readonly Claim[], move: Move): Claim | null {
  const fitting = claims
    .map((claim) => ({ claim, fit: fitOf(claim, move) }))
    .filter(({ claim, fit }) => fit > 0 && (claim.outcome !== 'not_done' || fit > 1));
  const order = (claim: Claim) => (claim.outcome === 'not_done' ? 0 : 1);
  const [best] = fitting.toSorted((a, b) => b.fit - a.fit || order(b.claim) - order(a.claim));
  return best?.claim ?? null;
}

function confirm(claim: Claim, move: RefMove, evidence: string): EngineEvent[] {
  const events: EngineEvent[] = [
    {
      type: 'act/witnessed',
      actId: claim.actId,
      by: 'git',
      finding: 'confirmed',
      move,
      evidence,
    },
  ];
  // The end of a command line often proves nothing; a ref that moved does.
  if (claim.outcome !== 'done')
    events.push({ type: 'act/ended', actId: claim.actId, outcome: 'done' });
  return events;
}

function discover(
  { sessionId, turnId, tellsActs }: JoinRequest,
  { move, kind }: JudgedMove,
  evidence: string,
): EngineEvent[] {
  if (!kind) return [];
  const shown = refMoveOf(move);
  const id = witnessedActId(sessionId, shown);
  return [
    {
      type: 'act/seen',
      act: {
        actId: id,
        turnId,
        toolId: null,
        kind,
        ...wordsOf(shown),
        witness: 'git',
        uncertain: false,
      },
    },
    {
      type: 'act/witnessed',
      actId: id,
      by: 'git',
      // Commits are no act of the stream, so that nothing is odd about one that it does not tell.
      finding: tellsActs && kind !== 'commit' ? 'unclaimed' : 'only',
      move: shown,
      evidence,
    },
    { type: 'act/ended', actId: id, outcome: 'done' },
  ];
}

/** A move as the command and the target of an act of which no command is known. */
export function wordsOf({ place, ref, before, after }: RefMove): {
  command: string;
  target: string;
} {
  const name = ref.replace(/^refs\/(heads|tags)\//, '');
  const to = after === null ? 'deleted' : after.slice(0, 12);
  return {
    command: `${place} ${ref} ${before?.slice(0, 12) ?? 'new'} → ${to}`,
    target: `${place} ${name}`,
  };
}

/** Something that is said to be pushed, while no ref of any remote that we know moved so. */
export function findUnmoved(
  claim: Claim,
  confirmed: ReadonlySet<ActId>,
  { places, moves }: Pick<WitnessReport, 'places' | 'moves'>,
  claims: readonly Claim[],
): EventOf<'act/witnessed'>[] {
  const looked = places.filter(({ name }) => name !== 'repository');
  const whole = looked.length > 0 && looked.every(({ skipped }) => skipped === null);
  if (!whole || claim.outcome !== 'done' || !sendsRefs(claim) || claim.gate) return [];
  if (confirmed.has(claim.actId) || claims.some(({ claimId }) => claimId === claim.actId))
    return [];
  // A ref that moved again before it was looked at went through where this claim says.
  if (moves.some(({ move }) => fitOf(claim, move) > 1)) return [];
  return [
    {
      type: 'act/witnessed',
      actId: claim.actId,
      by: 'git',
      finding: 'unmoved',
      move: null,
      evidence: `It is said to be done, and no ref moved on ${looked.map(({ name }) => name).join(', ')}: there was nothing to push, or it went somewhere else.`,
    },
  ];
}

export function refMoveOf({ place, ref, before, after }: Move): RefMove {
  return { place, ref, before, after };
}

/** The same move of one session or operator seen twice is one act. */
export function witnessedActId(
  doer: SessionId | InstanceId,
  { place, ref, before, after }: RefMove,
): ActId {
  const text = `witnessed ${doer} ${place} ${ref} ${before} ${after}`;
  return actId.parse(`act_${createHash('sha256').update(text).digest('hex').slice(0, 26)}`);
}
