import type { EventOf } from '../../protocol/engine-event.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import type { RequestId } from '../../protocol/ids.ts';
import { emit, patch, type Draft } from './session-io.ts';
import { expiryOf, type SessionState } from './session-state.ts';

const PAST_REQUESTS = 500;

/** The request is over: a late answer to it is told so. */
export function forgetApproval(draft: Draft, requestId: RequestId): void {
  const { pending, pastRequests } = draft.state;
  patch(draft, {
    pending: pending.filter((held) => held.request.requestId !== requestId),
    pastRequests: [...pastRequests, requestId].slice(-PAST_REQUESTS),
  });
}

/** An engine waits for ever: how long a person may take is the launch's to say. */
export function withExpiry(draft: Draft, event: EventOf<'approval/requested'>) {
  const { request } = event;
  const expiresAt = request.expiresAt ?? draft.nowMs + draft.state.launch.answerMs;
  return { ...event, request: { ...request, expiresAt } };
}

/** What the engine says of a request that is over already, as one that expired, is no news. */
export function isResolvedAgain(state: SessionState, requestId: RequestId): boolean {
  return state.pastRequests.includes(requestId);
}

/** Tells the engine no, once, for each request whose time is over, however it passed. */
export function expireApprovals(draft: Draft): void {
  const over = draft.state.pending.filter((held) => {
    const at = expiryOf(held);
    return at !== null && draft.nowMs >= at;
  });
  for (const { request } of over) {
    const { requestId } = request;
    const message = sentenceOf(request, draft.nowMs);
    emit(draft, { type: 'approval/resolved', requestId, resolution: 'expired' });
    emit(draft, { type: 'notice/raised', level: 'warning', code: 'approval_expired', message });
    forgetApproval(draft, requestId);
    const answer = { decision: 'deny', message: TOLD, answers: null, suggestion: null } as const;
    draft.effects.push({ kind: 'answer', request, answer });
    patch(draft, { lastOutputAt: draft.nowMs });
  }
}

const TOLD =
  'Nobody answered in time, so this was not allowed. Go on with what needs no permission, or say what waits for a person.';

function sentenceOf({ toolName, requestedAt }: ApprovalRequest, nowMs: number): string {
  const minutes = Math.max(1, Math.round((nowMs - requestedAt) / 60_000));
  const time =
    minutes < 120
      ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
      : `${Math.round(minutes / 60)} hours`;
  return `Nobody answered ${toolName} for ${time}, so the engine was told no and nothing was run. Send an instruction to have it ask again; the time can be chosen at the launch.`;
}

export function isSameAnswer(one: ApprovalAnswer, other: ApprovalAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
