import {
  type ApprovalAnswer,
  type ApprovalRequest,
  holdsEngineUp,
} from '../../protocol/approval.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { can } from '../../protocol/session.ts';
import { answerApproval } from '../api/requests.ts';
import { sentenceOfCode } from '../errors.ts';
import { usePress } from '../lib/use-press.ts';
import type { AnswerState } from './approval-card.tsx';

/** Why a request cannot be answered, as the state table and the record say; null when it can. */
export function reasonNotToAnswer(
  view: SessionView,
  request: ApprovalRequest,
  nowMs: number,
): string | null {
  const permission = can('answer', view.state);
  // A push that the machine keeps may be answered when all else of the session is over.
  if (!permission.allowed && holdsEngineUp(request)) return sentenceOfCode(permission.code);
  if (view.answeredRequestIds.includes(request.requestId)) {
    return holdsEngineUp(request)
      ? 'Answered; the engine has not confirmed it yet.'
      : 'Answered; the machine is at it.';
  }
  if (request.expiresAt !== null && nowMs >= request.expiresAt)
    return sentenceOfCode('approval_expired');
  return null;
}

/** The means to answer one request of a session. */
export function useAnswer(view: SessionView, request: ApprovalRequest, nowMs: number): AnswerState {
  const mutation = usePress({
    mutationFn: (answer: ApprovalAnswer) =>
      answerApproval(view.sessionId, request.requestId, answer),
  });
  return {
    reason: reasonNotToAnswer(view, request, nowMs),
    busy: mutation.isPending,
    error: mutation.error,
    answer: (answer) => mutation.mutate(answer),
  };
}
