import type { SessionSummary } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import type { SessionState } from '../../../protocol/session.ts';
import { MockRecord } from '../../../console/mock/record.ts';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';

const base = new MockRecord(sessionId.parse('ses_a'), eventsUntilApproval(), 0).summary();

/** One session as lists tell it, that waits for nothing unless said otherwise. */
export const aSummary = (
  state: SessionState,
  over: Partial<SessionSummary> = {},
): SessionSummary => ({ ...base, reason: null, pendingApprovals: 0, state, ...over });
