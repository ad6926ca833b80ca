import type { SessionSummary } from '../../protocol/http.ts';
import { askOfPilot } from '../../protocol/pilot-view.ts';
import { wordOfState } from '../format/state.ts';

/** A failure asks for a look this long, in ms; after that it is history. */
const FRESH_FAILURE_MS = 24 * 60 * 60 * 1_000;

/** Whether something that nobody answered was denied lately, and nobody has said since what to do. */
const isExpired = ({ approvalExpiredAt }: SessionSummary, nowMs: number): boolean =>
  approvalExpiredAt !== null && nowMs - approvalExpiredAt < FRESH_FAILURE_MS;

/** Each session in exactly one of three places. */
export type Sorted = {
  needs: SessionSummary[];
  running: SessionSummary[];
  recent: SessionSummary[];
};

/**
 * Sorts sessions by what a person has to do with them: answer or look at, watch, or nothing.
 * What waits longest is first among those that wait; everything else is newest first.
 */
export function decideNeeds(sessions: readonly SessionSummary[], nowMs: number): Sorted {
  const sorted: Sorted = { needs: [], running: [], recent: [] };
  for (const session of sessions) {
    const { tone } = wordOfState(session.state);
    const fresh = nowMs - session.updatedAt < FRESH_FAILURE_MS;
    if (
      session.breaches > 0 ||
      session.pendingApprovals > 0 ||
      askOfPilot(session.pilot) !== null ||
      tone === 'needs' ||
      (tone === 'failed' && fresh && session.dismissedAt === null) ||
      isExpired(session, nowMs)
    ) {
      sorted.needs.push(session);
    } else if (tone === 'live') sorted.running.push(session);
    else sorted.recent.push(session);
  }
  const waits = (session: SessionSummary) =>
    session.breaches > 0 ||
    session.pendingApprovals > 0 ||
    askOfPilot(session.pilot) !== null ||
    wordOfState(session.state).tone === 'needs';
  sorted.needs.sort((a, b) =>
    waits(a) === waits(b)
      ? waits(a)
        ? a.updatedAt - b.updatedAt
        : b.updatedAt - a.updatedAt
      : Number(waits(b)) - Number(waits(a)),
  );
  sorted.running.sort((a, b) => b.updatedAt - a.updatedAt);
  sorted.recent.sort((a, b) => b.updatedAt - a.updatedAt);
  return sorted;
}
