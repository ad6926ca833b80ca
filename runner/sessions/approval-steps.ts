import type { RequestId } from '../../protocol/ids.ts';
import { patch, type Draft } from './session-io.ts';

const PAST_REQUESTS = 500;

/** The request is over: a late answer to it is told so. */
export function forgetApproval(draft: Draft, requestId: RequestId): void {
  const { pending, pastRequests } = draft.state;
  patch(draft, {
    pending: pending.filter((held) => held.request.requestId !== requestId),
    pastRequests: [...pastRequests, requestId].slice(-PAST_REQUESTS),
  });
}
