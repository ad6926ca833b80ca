import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { useAnswer } from '../approvals/use-answer.ts';
import { useNow } from '../lib/use-now.ts';

/** On a phone: the first request that waits, within reach of the thumb. */
export function PinnedApproval({ view }: { view: SessionView }) {
  const [first] = view.pendingApprovals;
  if (!first) return null;
  const others = view.pendingApprovals.length - 1;
  return (
    <div className="max-h-[calc(var(--seen-height,100dvh)*0.6)] typing:max-h-[calc(var(--seen-height,100dvh)*0.4)] overflow-y-auto border-t px-3 py-2">
      {/* A new request is a new card: nothing typed for one is sent to another. */}
      <Pinned key={first.requestId} request={first} view={view} />
      {others > 0 && <p className="mt-1 text-sm text-faint">{others} more after this one</p>}
    </div>
  );
}

function Pinned({ request, view }: { request: ApprovalRequest; view: SessionView }) {
  const state = useAnswer(view, request, useNow('second'));
  return <ApprovalCard request={request} sessionId={view.sessionId} state={state} />;
}
