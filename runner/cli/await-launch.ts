import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Connection } from './connect.ts';
import { followSession } from './follow.ts';
import { findRefusal, reduceRecord, refusedLaunch } from './launch-record.ts';

/** How long a launch waits for the machine's first word, in ms; a big checkout takes longer. */
const FIRST_WORD_MS = 10_000;

/**
 * Waits for the machine's first word on a launch: answers true once the engine's process exists,
 * false when nothing was heard in time. Throws a `Failure` with exit code 4 when the machine
 * refuses. Ctrl-C ends the waiting, not the session.
 */
export async function awaitLaunch(
  connection: Connection,
  sessionId: SessionId,
  timeoutMs: number = FIRST_WORD_MS,
): Promise<boolean> {
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  const timer = setTimeout(giveUp, timeoutMs);
  process.once('SIGINT', giveUp);
  const entries: FeedEntry[] = [];
  let view: SessionView | null = null;
  try {
    await followSession({
      url: connection.url,
      token: connection.token,
      sessionId,
      after: 0,
      signal: stop.signal,
      onFrame(frame) {
        if (frame.type !== 'entries') return;
        entries.push(...frame.entries);
        view = reduceRecord(sessionId, view, frame.entries);
        if (view && view.state !== 'queued') stop.abort();
      },
      onDrop: () => undefined,
    });
  } finally {
    clearTimeout(timer);
    process.removeListener('SIGINT', giveUp);
  }
  const last = view as SessionView | null;
  const refusal = last && findRefusal(last, entries);
  if (refusal) throw refusedLaunch(sessionId, refusal);
  return last !== null && last.state !== 'queued';
}
