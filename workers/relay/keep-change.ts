import type { ApprovalStore } from './approvals.ts';
import type { FeedChange } from './feed-decisions.ts';
import type { OutgoingStore } from './outgoing.ts';

type Rooms = { approvals: ApprovalStore; outgoing: OutgoingStore };

/** The rows of a change beside the record; runs inside its transaction. */
export function keepChange(
  { approvals, outgoing }: Rooms,
  change: FeedChange,
  nowMs: number,
): void {
  if (change.epoch !== undefined && change.keepsEarlier) outgoing.moveTo(change.epoch);
  else if (change.epoch !== undefined) outgoing.removeOlderThan(change.epoch);
  if (change.settled !== undefined) outgoing.remove(change.settled);
  if (change.reopened !== undefined) approvals.clearAnswer(change.reopened);
  for (const command of change.commands) outgoing.add(command, nowMs);
}
