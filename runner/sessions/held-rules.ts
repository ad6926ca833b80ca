import type { ApprovalAnswer, ApprovalResolution } from '../../protocol/approval.ts';
import type { RequestId } from '../../protocol/ids.ts';
import { wholeText } from '../../protocol/text.ts';
import type { GatePush } from '../gate/gate-session.ts';
import { HELD_PUSH_MS, overtakes } from '../gate/held.ts';
import type { PushOutcome } from '../gate/receive.ts';
import { claimOf } from '../witness/claims.ts';
import { forgetApproval, isSameAnswer } from './approval-steps.ts';
import { actOfPush, endOfPush, nameOfRef } from './push-acts.ts';
import { amendUnclaimed, turnOfPush } from './push-rules.ts';
import { emit, patch, type Draft } from './session-io.ts';
import type { WaitingPush } from './session-state.ts';
import { refuse } from './session-steps.ts';

/**
 * A push that the gate keeps is asked about like anything else, but nothing waits for it: the turn
 * goes on and ends, and the answer may come when the engine, or the session, is over.
 */
export function holdPush(draft: Draft, { held }: GatePush): void {
  if (!held) return;
  const { requestId, pushId, refs, summary, text } = held;
  for (const earlier of waiting(draft).filter((each) => overtakes(refs, each.refs)))
    end(draft, earlier, 'withdrawn', 'The session pushed something else there since.');
  const expiresAt = draft.nowMs + HELD_PUSH_MS;
  emit(draft, {
    type: 'approval/requested',
    request: {
      requestId,
      turnId: turnOfPush(draft),
      toolId: null,
      kind: 'push',
      toolName: 'git push',
      input: wholeText(JSON.stringify({ push: text })),
      summary,
      acts: [...new Set(refs.map(({ kind }) => kind))],
      questions: [],
      suggestions: [],
      requestedAt: draft.nowMs,
      expiresAt,
    },
  });
  const kept = { requestId, pushId, refs, expiresAt, answer: null };
  patch(draft, { heldPushes: [...all(draft), kept] });
  sweep(draft);
}

/** Takes the answer to a push that is kept; false where the request is about something else. */
export function answerHeld(draft: Draft, requestId: RequestId, answer: ApprovalAnswer): boolean {
  const held = all(draft).find((each) => each.requestId === requestId);
  if (!held) return false;
  if (held.answer) {
    if (!isSameAnswer(held.answer, answer)) refuse(draft, 'approval_answered');
  } else if (draft.nowMs > held.expiresAt) refuse(draft, 'approval_expired');
  else if (answer.decision === 'deny') {
    const why = answer.message === null ? '' : `: ${answer.message}`;
    end(draft, held, 'denied', `a person denied it${why}`);
    sweep(draft);
  } else {
    const answered = { ...held, answer };
    patch(draft, { heldPushes: all(draft).map((each) => (each === held ? answered : each)) });
    draft.effects.push({ kind: 'settlePush', held });
  }
  return true;
}

/** What was allowed is at the remote, or why it is not. */
export function heldSettled(
  draft: Draft,
  requestId: RequestId,
  outcomes: readonly PushOutcome[],
): void {
  const held = all(draft).find((each) => each.requestId === requestId);
  if (!held) return;
  tell(draft, held, outcomes);
  const failed = outcomes.filter(({ outcome }) => outcome !== 'done');
  for (const { ref, reason } of failed)
    warn(
      draft,
      'push_not_done',
      `The push of ${nameOfRef(ref)} was allowed and not done: ${reason}.`,
    );
  forget(draft, held, 'allowed');
  sweep(draft);
}

/** Nobody answered in time. */
export function expireHeld(draft: Draft): void {
  const late = waiting(draft).filter(({ expiresAt }) => draft.nowMs >= expiresAt);
  if (late.length === 0) return;
  const hours = HELD_PUSH_MS / 3_600_000;
  for (const held of late) {
    const names = held.refs.map(({ ref }) => nameOfRef(ref)).join(', ');
    end(draft, held, 'expired', `nobody answered within ${hours} hours`);
    warn(
      draft,
      'push_expired',
      `Nobody answered within ${hours} hours, so the push of ${names} was not done and nothing of it is kept any more. Have the session push it again.`,
    );
  }
  sweep(draft);
}

/** After a restart: what was allowed is passed on, once, and what nobody waits for is deleted. */
export function resumeHeld(draft: Draft): void {
  if (!draft.state.heldPushes) return;
  expireHeld(draft);
  for (const held of all(draft)) if (held.answer) draft.effects.push({ kind: 'settlePush', held });
  sweep(draft);
}

/** The checkout is gone, and what was kept with it. */
export function loseHeld(draft: Draft): void {
  for (const held of waiting(draft))
    end(draft, held, 'withdrawn', 'the session’s checkout was removed');
}

const all = ({ state }: Draft): readonly WaitingPush[] => state.heldPushes ?? [];
const waiting = (draft: Draft): WaitingPush[] => all(draft).filter(({ answer }) => answer === null);

function end(
  draft: Draft,
  held: WaitingPush,
  resolution: Exclude<ApprovalResolution, 'allowed'>,
  reason: string,
): void {
  const outcomes = held.refs.map(({ ref, before, after, kind }): PushOutcome => ({
    ref,
    before,
    after,
    kind,
    outcome: 'not_done',
    by: 'policy',
    reason,
  }));
  tell(draft, held, outcomes);
  forget(draft, held, resolution);
}

/** The acts of the push end anew, as of now; the witness expects what has gone through. */
function tell(draft: Draft, held: WaitingPush, outcomes: readonly PushOutcome[]): void {
  for (const [place, ref] of held.refs.entries()) {
    const outcome = outcomes[place];
    if (!outcome) continue;
    const act = actOfPush(draft.state.sessionId, held.pushId, ref.index, ref, null);
    const amended = amendUnclaimed(draft, held.pushId, (push) => ({
      ...push,
      outcomes: push.outcomes.map((each, index) => (index === ref.index ? outcome : each)),
    }));
    if (amended) continue;
    emit(draft, endOfPush(act.actId, outcome));
    if (outcome.outcome === 'done') expect(draft, act);
  }
}

/** An act whose claim was forgotten with its turn moves a ref only now. */
function expect(draft: Draft, act: ReturnType<typeof actOfPush>): void {
  const claim = claimOf(act);
  const watched = draft.state.watched ?? { since: null, claims: [] };
  if (!claim || watched.claims.some(({ actId }) => actId === claim.actId)) return;
  const claims = [...watched.claims, { ...claim, outcome: 'done' as const }];
  patch(draft, { watched: { ...watched, claims } });
}

function forget(draft: Draft, held: WaitingPush, resolution: ApprovalResolution): void {
  const { requestId } = held;
  emit(draft, { type: 'approval/resolved', requestId, resolution });
  forgetApproval(draft, requestId);
  patch(draft, { heldPushes: all(draft).filter((each) => each.requestId !== requestId) });
}

function sweep(draft: Draft): void {
  const requestIds = all(draft).map(({ requestId }) => requestId);
  draft.effects.push({ kind: 'keepPushes', requestIds });
}

function warn(draft: Draft, code: string, message: string): void {
  emit(draft, { type: 'notice/raised', level: 'warning', code, message });
}
