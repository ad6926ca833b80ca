import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { EXIT, Failure } from '../failure.ts';

/** The view of a record after further entries; null until the one that opens it. */
export function reduceRecord(
  sessionId: SessionId,
  view: SessionView | null,
  entries: readonly FeedEntry[],
): SessionView | null {
  let held = view;
  for (const entry of entries) {
    if (held) held = reduceSession(held, entry);
    else if (entry.event.type === 'session/created')
      held = openView(sessionId, entry.at, entry.event);
  }
  return held;
}

/** Why a machine would not begin a launch: its code and its sentence. */
export type LaunchRefusal = { code: string; message: string };

/**
 * The refusal in a record, or null. A launch is refused when it fails before the engine's process
 * exists: by the machine's limits, the workspace, or an engine that is not there. Whatever fails
 * later was begun, and is a failure of the work.
 */
export function findRefusal(
  view: SessionView,
  entries: readonly FeedEntry[],
): LaunchRefusal | null {
  if (phaseOf(view.state) !== 'failed' || view.failure?.stage !== 'queued') return null;
  // The command's own refusal has the more exact code; a retry begins anew.
  const told = entries.findLast(
    ({ event }) => event.type === 'command/failed' && event.method === 'session/start',
  )?.event;
  const { code, message } = view.failure.error;
  return { code: told?.type === 'command/failed' ? told.code : code, message };
}

/** The failure that a command ends with when the machine refused its launch. */
export function refusedLaunch(sessionId: SessionId, refusal: LaunchRefusal): Failure {
  return new Failure(
    EXIT.refused,
    refusal.code,
    `The machine refused ${sessionId}: ${refusal.message}`,
  );
}
