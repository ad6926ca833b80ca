import type { FeedEntry } from '../../protocol/engine-event.ts';
import { modeOf } from '../../protocol/launch.ts';
import type { PushKind, PushMessage } from '../../protocol/push.ts';
import { shownCommand } from '../../protocol/shown-command.ts';
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
    if (kind === null) return [];
    const tag = `${sessionId} ${kind} ${nameOf(view, entry)}`;
    return [{ kind, sessionId, tag, ...asksOf(entry) }];
  });
}

/** Names what happened. A launch fails once, whether its machine says so twice or in one way only. */
function nameOf({ stages }: SessionView, { event, position }: FeedEntry): string {
  const launch = event.type === 'launch/failed' || event.type === 'command/failed';
  return launch && stages.queued !== undefined ? `launch ${stages.queued}` : String(position);
}

/** The request that a notification can answer, where it shows all that is asked. */
function asksOf({ event }: FeedEntry): Pick<PushMessage, 'asks'> {
  const command = event.type === 'approval/requested' ? shownCommand(event.request) : null;
  if (event.type !== 'approval/requested' || command === null) return {};
  return { asks: { requestId: event.request.requestId, command } };
}

/** Notices of a mark that was passed: each is raised once for its limit or budget. */
const BUDGET_NOTICES: ReadonlySet<string> = new Set(['budget_warning', 'shared_budget_warning']);

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
    case 'notice/raised':
      return BUDGET_NOTICES.has(event.code) ? 'budget' : null;
    case 'session/halted':
      return 'halted';
    case 'launch/failed':
      return 'failed';
    case 'command/failed':
      // A launch that its machine refused before it was one has nothing else that says so.
      return event.method === 'session/start' && view.failure?.error.message === event.message
        ? 'failed'
        : null;
    case 'session/ended':
      return event.end === 'stopped' ? null : event.end === 'finished' ? 'finished' : 'failed';
    case 'turn/ended':
      // A Pilot gives the next instruction itself.
      return modeOf(view.launch) === 'manual' && event.outcome === 'ok' ? 'finished' : null;
    default:
      return null;
  }
}
