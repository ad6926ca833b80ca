import {
  checkoutReview,
  reviewedPatch,
  type CheckoutReview,
  type PatchQuery,
  type ReviewedPatch,
} from '../../../protocol/review.ts';
import type { Call } from '../api.ts';

/** What a session changed, as the command line asks for it. */
export type ChangesApi = {
  readChanges(sessionId: string): Promise<CheckoutReview>;
  readPatch(sessionId: string, query: PatchQuery): Promise<ReviewedPatch>;
};

export function createChangesApi(call: Call): ChangesApi {
  const path = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}/changes`;
  return {
    readChanges: (sessionId) => call('GET', path(sessionId), checkoutReview),
    readPatch: (sessionId, query) =>
      call('GET', `${path(sessionId)}/patch?${new URLSearchParams(query)}`, reviewedPatch),
  };
}
