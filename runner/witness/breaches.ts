import type { Breach } from '../../protocol/breach.ts';
import type { ActId, TurnId } from '../../protocol/ids.ts';
import { asksForge, type Forbidden, judgeForge } from '../gate/act-policy.ts';
import { isTrunk, judgePush, type PushPolicy } from '../gate/policy.ts';
import { sendsRefs, type Claim } from './claims.ts';
import type { JudgedMove, SessionMove, WitnessReport } from './join.ts';
import { undoClaim, undoMove } from './undo.ts';

/** The policy of a session, as the gate would hold it to it. */
export type PolicyRules = Omit<PushPolicy, 'defaultBranch'>;

export type BreachRequest = {
  turnId: TurnId | null;
  report: Pick<WitnessReport, 'places' | 'top' | 'head' | 'rules'>;
  /** Moves that are the session's. */
  moves: readonly SessionMove[];
  claims: readonly Claim[];
  /** Claims that the refs speak for, or against. */
  settled: ReadonlySet<ActId>;
  /** Tool calls that a person allowed. */
  allowed: readonly string[];
  /** Refs of remotes that the session itself made, as `place ref`. */
  made: readonly string[];
};

const NOTHING = '0'.repeat(40);

/**
 * Finds the acts of a session that its policy forbids and that happened: refs that it moved past
 * the gate, and what it says that it did where nothing could be seen. What the gate let through was
 * judged there; what a person allowed where the policy says `ask` is none. Pure.
 */
export function findBreaches(request: BreachRequest): Breach[] {
  const { moves, claims } = request;
  return [
    ...moves.flatMap((move) => judgeMove(move, request)),
    ...claims.flatMap((claim) => judgeClaim(claim, request)),
  ];
}

/** Refs that the session made on remotes, so that it may rewrite them. */
export const listMade = (moves: readonly SessionMove[]): string[] =>
  moves.flatMap(({ judged: { move } }) =>
    move.remote && move.before === null && move.after !== null ? [keyOf(move)] : [],
  );

const keyOf = ({ place, ref }: JudgedMove['move']): string => `${place} ${ref}`;

function judgeMove(
  { judged, actId, claim, evidence }: SessionMove,
  { turnId, report, allowed, made }: BreachRequest,
): Breach[] {
  const { move, kind, defaultBranch } = judged;
  // Where the session was launched in place on a trunk, its commits there are its work.
  if (kind === null || kind === 'commit' || claim?.gate) return [];
  const policy = { ...report.rules, defaultBranch: defaultBranch ?? '' };
  const branch = move.ref.replace(/^refs\/heads\//, '');
  // In the person's own repository only what others build on is anybody's business.
  if (!move.remote && !(move.ref.startsWith('refs/heads/') && isTrunk(branch, policy))) return [];
  const command = { ref: move.ref, before: move.before ?? NOTHING, after: move.after ?? NOTHING };
  const { forward, changes } = judged.evidence;
  const facts = {
    own: made.includes(keyOf(move)),
    forward: move.after !== null && (forward ?? true),
    changes,
  };
  const verdict = judgePush(command, facts, policy);
  if (verdict.kind === 'allow' || (verdict.kind === 'ask' && isAllowed(claim, allowed))) return [];
  const { remote, ...shown } = move;
  const room = { directory: report.top, head: report.head };
  return [
    {
      actId,
      turnId,
      kind,
      seenBy: 'git',
      command: claim?.command ?? `${move.place} ${move.ref}`,
      move: shown,
      rule: `${ruleOf(verdict)} ${evidence}`,
      undo: undoMove(shown, remote, room),
    },
  ];
}

const isAllowed = (claim: Claim | null, allowed: readonly string[]): boolean =>
  typeof claim?.toolId === 'string' && allowed.includes(claim.toolId);

/** What forbids it, without the advice that the gate gives to a session. */
function ruleOf({ kind, reason }: { kind: 'ask' | 'refuse'; reason: string }): string {
  const [why = ''] = reason.split(';');
  return kind === 'ask'
    ? `The policy leaves this to a person, who was not asked: ${why}.`
    : `The policy of the session forbids it: ${why}.`;
}

/** What is said to be done and nobody could look at. A guess of the classifier accuses nobody. */
function judgeClaim(claim: Claim, request: BreachRequest): Breach[] {
  const { turnId, report, claims, settled, allowed } = request;
  if (claim.gate || claim.uncertain || claim.outcome !== 'done' || settled.has(claim.actId))
    return [];
  if (claims.some(({ claimId }) => claimId === claim.actId)) return [];
  const verdict = asksForge(claim) ? judgeForge(claim, report.rules) : judgeUnseen(claim, report);
  if (!verdict || (verdict.kind === 'ask' && isAllowed(claim, allowed))) return [];
  const { actId, kind, command } = claim;
  const rule = `${ruleOf(verdict)} The engine says that it was done.`;
  const undo = undoClaim(claim, report.top);
  return [{ actId, turnId, kind, seenBy: 'stream', command, move: null, rule, undo }];
}

/** A push to a branch by its name, on a remote that did not say where its refs are. */
function judgeUnseen(claim: Claim, { places, rules }: BreachRequest['report']): Forbidden | null {
  const [name, ...refs] = (claim.target ?? '').split(/\s+/);
  const place = places.find((each) => each.name === name);
  if (!sendsRefs(claim) || !place || place.skipped === null) return null;
  const policy = { ...rules, defaultBranch: place.head ?? '' };
  for (const ref of refs) {
    const branch = ref.replace(/^refs\/heads\//, '');
    if (!isTrunk(branch, policy)) continue;
    const facts = { own: false, forward: true, changes: { known: true as const, paths: [] } };
    const after = claim.kind === 'delete' ? NOTHING : '1'.repeat(40);
    const command = { ref: `refs/heads/${branch}`, before: '2'.repeat(40), after };
    const verdict = judgePush(command, facts, policy);
    if (verdict.kind !== 'allow') return verdict;
  }
  return null;
}
