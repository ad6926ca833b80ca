import type { PaneFacts } from '../tmux/panes.ts';
import type { TmuxTarget } from '../tmux/target.ts';

/**
 * What is known of a session. `absent`: it is proven not to be there. `unknown` is none of the
 * others, and nobody acts on it.
 */
export type Liveness = 'live' | 'ended' | 'absent' | 'unknown';

/** Decides from every pane of a server; null is a server that did not answer. Pure. */
export function decideLiveness(
  panes: readonly PaneFacts[] | null,
  { born, id }: TmuxTarget,
): Liveness {
  if (panes === null) return 'unknown';
  const own = panes.filter(
    (pane) => pane.server === born && (pane.sessionId === id || pane.pane === id),
  );
  if (own.length === 0) return 'absent';
  return own.every(({ dead }) => dead) ? 'ended' : 'live';
}

/** What is done with a session of ours at one look. */
export type Care = 'leave' | 'note_end' | 'forget_end' | 'close';

/** Times in ms. A session is closed no sooner than this after its end was first seen. */
const DEBOUNCE_MS = 10_000;

/**
 * Decides what becomes of a session of ours: it is closed once it was seen ended at two looks, and
 * kept as long as the limits say between them. Others are left alone whatever they are. Pure.
 */
export function decideCare(
  session: { ours: boolean; liveness: Liveness; endedAtMs: number | null },
  keepMs: number,
  nowMs: number,
): Care {
  const { ours, liveness, endedAtMs } = session;
  if (!ours) return 'leave';
  if (liveness === 'live') return endedAtMs === null ? 'leave' : 'forget_end';
  if (liveness !== 'ended') return 'leave';
  // A clock that was set back must not keep it for ever.
  if (endedAtMs === null || endedAtMs > nowMs) return 'note_end';
  return nowMs - endedAtMs >= Math.max(keepMs, DEBOUNCE_MS) ? 'close' : 'leave';
}
