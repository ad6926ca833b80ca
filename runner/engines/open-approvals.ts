import type { ApprovalAnswer, ApprovalResolution } from '../../protocol/approval.ts';
import type { RequestId } from '../../protocol/ids.ts';
import { type Draft, emit, patch, without } from './draft.ts';

/** A request of the engine that it still waits for, or whose answer it has not confirmed. */
export type OpenRequest = {
  requestId: RequestId;
  answered: ApprovalAnswer['decision'] | null;
};

/** The requests under way, by our id, as a parser keeps them. */
export type OpenRequests<R extends OpenRequest = OpenRequest> = {
  approvals: Readonly<Record<string, R>>;
};

/** Ends a request once; what is not there any more has ended before. */
export function resolveApproval(
  draft: Draft<OpenRequests>,
  { requestId }: OpenRequest,
  resolution: ApprovalResolution,
): void {
  if (!draft.state.approvals[requestId]) return;
  patch(draft, { approvals: without(draft.state.approvals, requestId) });
  emit(draft, { type: 'approval/resolved', requestId, resolution });
}

/** The engine has gone past a request: answered ones were taken, the others wait no more. */
export function settleApprovals<R extends OpenRequest>(
  draft: Draft<OpenRequests<R>>,
  which: (approval: R) => boolean = () => true,
): void {
  for (const approval of Object.values(draft.state.approvals).filter(which))
    resolveApproval(draft, approval, resolutionOf(approval));
}

/** How a request ended that the engine says is over, or that it went past. */
export function resolutionOf({ answered }: OpenRequest): ApprovalResolution {
  switch (answered) {
    case 'allow':
      return 'allowed';
    case 'deny':
      return 'denied';
    case null:
      return 'withdrawn';
    default:
      return answered satisfies never;
  }
}
