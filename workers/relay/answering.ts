import type { Command, CommandResult } from '../../protocol/command.ts';
import type { AnswerApproval } from '../lib/calls.ts';
import { type ApprovalStore, decideAnswer } from './approvals.ts';
import { decideAnswering, type FeedDecision, type Maker } from './feed-decisions.ts';
import type { OutgoingStore } from './outgoing.ts';
import type { RecordState } from './session-record.ts';

/** Decides on an answer to an approval: what is known of the request, and what is on its way. */
export function decideAnswerTo(
  state: RecordState,
  input: AnswerApproval,
  { approvals, outgoing }: { approvals: ApprovalStore; outgoing: OutgoingStore },
  make: Maker,
): FeedDecision {
  const { requestId, answer } = input;
  const underway = outgoing
    .list()
    .some(
      ({ command }) =>
        command.method === 'session/answer' && command.params.requestId === requestId,
    );
  const decision = decideAnswer(approvals.read(requestId), answer, underway, make.nowMs);
  switch (decision.kind) {
    case 'refused':
      return { kind: 'refused', code: decision.code, context: { requestId } };
    case 'standing':
      return { kind: 'unchanged' };
    case 'decide':
    case 'resend':
      return {
        kind: 'change',
        change: decideAnswering(state, input, decision.kind === 'resend', make),
      };
    default:
      return decision satisfies never;
  }
}

/**
 * What the result of a command means for the record. An answer that came a second time, as from
 * two windows, is refused by the machine once the engine has the first: it stands all the same.
 */
export function settledResult(
  command: Command,
  result: CommandResult,
  approvals: Pick<ApprovalStore, 'read'>,
  nowMs: number,
): CommandResult {
  if (result.ok || command.method !== 'session/answer') return result;
  const { requestId, answer } = command.params;
  const decision = decideAnswer(approvals.read(requestId), answer, false, nowMs);
  return decision.kind === 'standing' ? { ok: true, value: {} } : result;
}
