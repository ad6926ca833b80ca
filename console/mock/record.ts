import { openBreaches } from '../../protocol/breach.ts';
import type { FeedFrame } from '../../protocol/console-frames.ts';
import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import { type SessionSummary, sessionSummary } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { REHEARSAL_ENGINE_ID, titleOf } from '../../protocol/launch.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { RUNNER } from './sentinels.ts';

/** Entries that one frame holds, as the real feed sends them. */
const PAGE = 1_000;

/** One session's record in memory, with the same view and the same frames as the real feed. */
export class MockRecord {
  readonly sessionId: SessionId;
  readonly entries: FeedEntry[] = [];
  readonly viewers = new Set<(frame: FeedFrame) => void>();
  view: SessionView;

  constructor(sessionId: SessionId, events: readonly FeedEvent[], nowMs: number) {
    const [first] = events;
    if (first?.type !== 'session/created') throw new Error('a record begins with session/created');
    this.sessionId = sessionId;
    this.view = openView(sessionId, nowMs, first);
    this.append(events, nowMs);
  }

  /** Stores events and shows them to whoever watches. */
  append(events: readonly FeedEvent[], nowMs: number): void {
    const fresh = events.map((event, index) => ({
      position: this.entries.length + index + 1,
      at: nowMs,
      seq: null,
      event,
    }));
    this.entries.push(...fresh);
    this.view = fresh.reduce(reduceSession, this.view);
    if (fresh.length > 0) this.show({ type: 'entries', entries: fresh });
  }

  show(frame: FeedFrame): void {
    for (const viewer of this.viewers) viewer(frame);
  }

  /** What a viewer is sent when it subscribes after a position. */
  open(after: number): FeedFrame[] {
    const upTo = this.entries.length;
    const missing = this.entries.slice(after > upTo ? 0 : after);
    const snapshot: FeedFrame = { type: 'snapshot', view: this.view, upTo, presence: 'online' };
    const pages = Math.ceil(missing.length / PAGE);
    return [
      snapshot,
      ...Array.from({ length: pages }, (_, page): FeedFrame => {
        return { type: 'entries', entries: missing.slice(page * PAGE, (page + 1) * PAGE) };
      }),
    ];
  }

  summary(): SessionSummary {
    const { view } = this;
    return sessionSummary.parse({
      sessionId: this.sessionId,
      runnerId: RUNNER,
      runnerName: 'lighthouse',
      title: titleOf(view.launch.objective),
      engineId: view.launch.engineId,
      rehearsal: view.launch.engineId === REHEARSAL_ENGINE_ID,
      directory: view.launch.directory,
      grade: view.checkout?.grade?.grade ?? null,
      state: view.state,
      reason: view.reason,
      dismissedAt: view.dismissed?.at ?? null,
      pendingApprovals: view.pendingApprovals.length,
      pilot: null,
      spend: view.spend,
      acts: view.acts,
      breaches: openBreaches(view.breaches).length,
      createdAt: view.createdAt,
      updatedAt: view.updatedAt,
    });
  }
}
