import { holdsEngineUp } from './approval.ts';
import type { EventOf } from './engine-event.ts';
import type { SessionView } from './session-view.ts';

type Approvals = Pick<SessionView, 'pendingApprovals' | 'answeredRequestIds'>;

export const NO_APPROVALS: Approvals = { pendingApprovals: [], answeredRequestIds: [] };

/**
 * What an approval does to the view. `awaitPerson` is the reducer's own: the state of the session
 * follows only what its engine waits for, and a push that is kept for an answer holds nothing up.
 */
export function reduceApproval(
  view: SessionView,
  event: EventOf<'approval/requested' | 'approval/decided' | 'approval/resolved'>,
  at: number,
  awaitPerson: (view: SessionView) => SessionView,
): SessionView {
  switch (event.type) {
    case 'approval/requested': {
      const { request } = event;
      const others = view.pendingApprovals.filter(isOther(request.requestId));
      const next = { ...view, pendingApprovals: [...others, request] };
      return holdsEngineUp(request) ? awaitPerson(next) : next;
    }
    case 'approval/decided': {
      const answered = new Set([...view.answeredRequestIds, event.requestId]);
      return { ...view, answeredRequestIds: [...answered] };
    }
    case 'approval/resolved': {
      const { requestId, resolution } = event;
      const found = view.pendingApprovals.find((held) => held.requestId === requestId);
      const expired = resolution === 'expired' && { approvalExpiredAt: at };
      const next = { ...forget(view, requestId), ...expired };
      return found && !holdsEngineUp(found) ? next : awaitPerson(next);
    }
    default:
      return event satisfies never;
  }
}

/** What still waits once the engine waits for nothing any more. */
export function keptApprovals({ pendingApprovals, answeredRequestIds }: SessionView): Approvals {
  const kept = pendingApprovals.filter((request) => !holdsEngineUp(request));
  const ids = new Set<string>(kept.map(({ requestId }) => requestId));
  return {
    pendingApprovals: kept,
    answeredRequestIds: answeredRequestIds.filter((id) => ids.has(id)),
  };
}

/** Codes of a machine that keeps nothing for an answer: there is nothing to answer any more. */
const GONE: ReadonlySet<string> = new Set([
  'session_not_found',
  'request_not_found',
  'approval_expired',
]);

/** An answer that did not arrive may be given again, unless the machine has nothing left to push. */
export function failAnswer(view: SessionView, event: EventOf<'command/failed'>): SessionView {
  const { requestId, code } = event;
  const found = view.pendingApprovals.find((held) => held.requestId === requestId);
  if (found && !holdsEngineUp(found) && GONE.has(code)) return forget(view, found.requestId);
  const answeredRequestIds = view.answeredRequestIds.filter((held) => held !== requestId);
  return { ...view, answeredRequestIds };
}

const isOther = (id: string) => (held: { requestId: string }) => held.requestId !== id;

function forget(view: SessionView, id: string): SessionView {
  return {
    ...view,
    pendingApprovals: view.pendingApprovals.filter(isOther(id)),
    answeredRequestIds: view.answeredRequestIds.filter((held) => held !== id),
  };
}
