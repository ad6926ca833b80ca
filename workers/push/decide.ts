import type { FeedEntry } from '../../protocol/engine-event.ts';
import { modeOf } from '../../protocol/launch.ts';
import type { PushKind, PushMessage } from '../../protocol/push.ts';
import type { SessionView } from '../../protocol/session-view.ts';

/** What happened longer ago than this, in ms, is no news: a machine that comes back tells it all. */
const NEWS_MS = 60 * 60_000;

/** What a page of a record has that a person may want to be told of. Pure. */
export function decideMessages(
  view: SessionView,
  entries: readonly FeedEntry[],
  nowMs: number,
): PushMessage[] {
  return entries.flatMap((entry) => {
    const kind = nowMs - entry.at > NEWS_MS ? null : kindOf(view, entry);
    const { sessionId } = view;
    return kind ? [{ kind, sessionId, tag: `${sessionId} ${kind} ${entry.position}` }] : [];
  });
}

function kindOf(view: SessionView, { event }: FeedEntry): PushKind | null {
  switch (event.type) {
    case 'approval/requested': {
      // What was answered in the same breath, by a policy or at once, needs nobody.
      const { requestId } = event.request;
      const waits = view.pendingApprovals.some((request) => request.requestId === requestId);
      return waits ? 'approval' : null;
    }
    case 'engine/blocked':
      return 'blocked';
    case 'session/halted':
      return 'halted';
    case 'launch/failed':
      return 'failed';
    case 'session/ended':
      return event.end === 'stopped' ? null : event.end === 'finished' ? 'finished' : 'failed';
    case 'turn/ended':
      // A Pilot gives the next instruction itself.
      return modeOf(view.launch) === 'manual' && event.outcome === 'ok' ? 'finished' : null;
    default:
      return null;
  }
}
