import type { ActKind, ActSeen } from '../../protocol/act.ts';
import type { ActId, TurnId } from '../../protocol/ids.ts';
import type { GatePush } from '../gate/gate-session.ts';
import { notePassed } from '../witness/watch.ts';
import { tellRefused } from './guard-acts.ts';
import { actOfPullRequest, actOfPush, endOfPush, nameOfRef } from './push-acts.ts';
import { emit, patch, type Draft } from './session-io.ts';

/** A push that the engine's stream shows, under way or just over. */
type Claim = { actId: ActId; kind?: ActKind; command: string; ended: boolean };
/** A push that went through the gate before the stream showed it, if it ever will. */
type Unclaimed = { push: GatePush; turnId: TurnId | null; at: number };
export type PushesUnderWay = { claims: readonly Claim[]; unclaimed: readonly Unclaimed[] };

const NONE: PushesUnderWay = { claims: [], unclaimed: [] };
const PUSHES: ReadonlySet<ActKind> = new Set([
  'push',
  'force_push',
  'delete',
  'tag',
  'merge',
  'pull_request',
  'comment',
  'release',
]);
/** Enough for one turn's; what is older is told as nobody's claim. */
const HELD_MAX = 50;
/** How long after a push its own claim may be read, when it names no ref, in ms. */
const CLAIM_WITHIN_MS = 5_000;

/**
 * The gate's decisions become acts. What the stream shows too is the same act: a push is told at
 * once with the claim that is under way, else when its claim comes or when the turn ends.
 */
export function pushed(draft: Draft, push: GatePush): void {
  if (push.guard) {
    const { passed, refused } = push.guard;
    if (passed.length > 0) patch(draft, { watched: notePassed(draft.state.watched, passed) });
    if (refused.length === 0) return;
  }
  const { claims, unclaimed } = underWay(draft);
  const turnId = turnOfPush(draft);
  const open = claims.filter((each) => !each.ended && isAbout(each, push));
  const claim = open.findLast((each) => names(each, push)) ?? open.at(-1);
  if (claim || draft.state.openTurnId === null || draft.config.capabilities.acts === 'none')
    return tell(draft, push, turnId, claim?.actId);
  const held = [...unclaimed, { push, turnId, at: draft.nowMs }];
  for (const old of held.slice(0, -HELD_MAX)) tell(draft, old.push, old.turnId);
  patch(draft, { pushes: { claims, unclaimed: held.slice(-HELD_MAX) } });
}

/** The stream shows an act: perhaps what went through the gate a moment ago. */
export function claimed(draft: Draft, act: ActSeen): void {
  if (act.witness !== 'stream' || !PUSHES.has(act.kind)) return;
  const { claims, unclaimed } = underWay(draft);
  const claim = { actId: act.actId, kind: act.kind, command: act.command, ended: false };
  const mine = unclaimed.filter(
    (each) =>
      isAbout(claim, each.push) &&
      (names(claim, each.push) || each.at >= draft.nowMs - CLAIM_WITHIN_MS),
  );
  for (const { push, turnId } of mine) tell(draft, push, turnId, act.actId);
  patch(draft, {
    pushes: {
      claims: [...claims, claim].slice(-HELD_MAX),
      unclaimed: unclaimed.filter((each) => !mine.includes(each)),
    },
  });
}

export function claimEnded(draft: Draft, actId: ActId): void {
  const { claims, unclaimed } = underWay(draft);
  if (!claims.some((each) => each.actId === actId)) return;
  const ended = claims.map((each) => (each.actId === actId ? { ...each, ended: true } : each));
  patch(draft, { pushes: { claims: ended, unclaimed } });
}

/** The turn is over: what nobody claimed by now was never claimed. */
export function tellUnclaimed(draft: Draft): void {
  if (!draft.state.pushes) return;
  for (const { push, turnId } of draft.state.pushes.unclaimed) tell(draft, push, turnId);
  patch(draft, { pushes: NONE });
}

/** The end of a push is known anew while nobody was told of it yet. Says whether that was so. */
export function amendUnclaimed(
  draft: Draft,
  pushId: string,
  amend: (push: GatePush) => GatePush,
): boolean {
  const { claims, unclaimed } = underWay(draft);
  if (!unclaimed.some(({ push }) => push.pushId === pushId)) return false;
  const amended = unclaimed.map((each) =>
    each.push.pushId === pushId ? { ...each, push: amend(each.push) } : each,
  );
  patch(draft, { pushes: { claims, unclaimed: amended } });
  return true;
}

function tell(draft: Draft, push: GatePush, turnId: TurnId | null, claimId?: ActId): void {
  const { sessionId } = draft.state;
  for (const event of push.guard
    ? tellRefused(sessionId, push.pushId, push.guard, turnId, claimId)
    : [])
    emit(draft, event);
  if (push.pullRequest) {
    const act = actOfPullRequest(sessionId, push.pushId, push.pullRequest, turnId);
    emit(draft, { type: 'act/seen', act: { ...act, ...(claimId && { claimId }) } });
    emit(draft, endOfPush(act.actId, push.pullRequest));
  }
  for (const [index, outcome] of push.outcomes.entries()) {
    const act = actOfPush(sessionId, push.pushId, index, outcome, turnId);
    emit(draft, { type: 'act/seen', act: { ...act, ...(claimId && { claimId }) } });
    emit(draft, endOfPush(act.actId, outcome));
  }
}

/** A comment that orders a merge is told as one by the stream, and goes through the gate as what it is. */
const WRITES_COMMENT = /\b(?:comment|note|review)s?\b/;

/**
 * A pull request is claimed by a command that asks for one, and a comment by one that writes one; a
 * row of earlier says no kind.
 */
function isAbout(claim: Claim, { pullRequest, guard }: GatePush): boolean {
  const { kind } = claim;
  if (guard)
    return guard.refused.some(
      (each) => kind === undefined || familyOf(each.kind) === familyOf(kind),
    );
  if (kind === 'release') return false;
  const asked = askedBy(claim);
  if (!pullRequest) return asked === null;
  return asked === (pullRequest.change?.kind === 'comment' ? 'comment' : 'pull_request');
}

/** What a claim asks the gate for beside a push; null is a push. */
function askedBy({ kind, command }: Claim): 'pull_request' | 'comment' | null {
  if (kind === 'merge' && WRITES_COMMENT.test(command)) return 'comment';
  return kind === 'pull_request' || kind === 'comment' ? kind : null;
}

/** Whether a command names a ref of the push. */
function names({ command }: Claim, { outcomes, pullRequest, guard }: GatePush): boolean {
  const words = new Set(command.split(/[\s:'"+=]+/));
  const named = ({ ref }: { ref: string }) => words.has(ref) || words.has(nameOfRef(ref));
  if (guard)
    return guard.refused.some(
      (each) => each.command === command || (each.move && named(each.move)),
    );
  if (pullRequest) {
    const { head, change } = pullRequest;
    return (head !== null && words.has(head)) || words.has(String(change?.number));
  }
  return outcomes.some(named);
}

/** A command that moves refs is told by one word or another; what a forge is asked for, by its own. */
const familyOf = (kind: ActKind): ActKind =>
  kind === 'pull_request' || kind === 'comment' || kind === 'release' ? kind : 'push';

const underWay = ({ state }: Draft): PushesUnderWay => state.pushes ?? NONE;

/** The turn that a push belongs to. */
export const turnOfPush = ({ state }: Draft): TurnId | null =>
  state.openTurnId ?? state.held?.turnId ?? state.takeover?.turnId ?? null;
