import { openBreaches } from '../../protocol/breach.ts';
import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import type { SessionDetail, SessionSummary } from '../../protocol/http.ts';
import type { RunnerId, SessionId } from '../../protocol/ids.ts';
import { REHEARSAL_ENGINE_ID, titleOf } from '../../protocol/launch.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';

/** A session as the cloud keeps it: entries in order, and the view that they reduce to. */
export class FakeSession {
  readonly sessionId: SessionId;
  readonly runner: { runnerId: RunnerId; name: string };
  readonly entries: FeedEntry[] = [];
  /** The time of the next entry, in Unix ms; each entry is a second after the one before. */
  nowMs: number;
  #view: SessionView | null = null;

  constructor(
    sessionId: SessionId,
    runner: { runnerId: RunnerId; name: string },
    startedAt = Date.now(),
  ) {
    this.sessionId = sessionId;
    this.runner = runner;
    this.nowMs = startedAt;
  }

  /** Adds events to the record; answers the entries that they became. */
  append(events: readonly FeedEvent[]): FeedEntry[] {
    const added = events.map((event, index) => ({
      position: this.entries.length + 1 + index,
      at: this.nowMs + index * 1_000,
      seq: null,
      event,
    }));
    this.nowMs += events.length * 1_000;
    for (const entry of added) this.#apply(entry);
    this.entries.push(...added);
    return added;
  }

  get view(): SessionView {
    if (!this.#view) throw new Error('a record begins with session/created');
    return this.#view;
  }

  get summary(): SessionSummary {
    const { view } = this;
    const { engineId, objective, directory } = view.launch;
    return {
      sessionId: this.sessionId,
      runnerId: this.runner.runnerId,
      runnerName: this.runner.name,
      title: titleOf(objective),
      engineId,
      rehearsal: engineId === REHEARSAL_ENGINE_ID,
      directory,
      grade: view.checkout?.grade?.grade ?? null,
      state: view.state,
      reason: view.reason,
      dismissedAt: view.dismissed?.at ?? null,
      pendingApprovals: view.pendingApprovals.length,
      approvalExpiredAt: view.approvalExpiredAt ?? null,
      pilot: null,
      spend: view.spend,
      acts: view.acts,
      breaches: openBreaches(view.breaches).length,
      createdAt: view.createdAt,
      updatedAt: view.updatedAt,
    };
  }

  get detail(): SessionDetail {
    return { summary: this.summary, view: this.view };
  }

  #apply(entry: FeedEntry): void {
    if (this.#view) this.#view = reduceSession(this.#view, entry);
    else if (entry.event.type === 'session/created')
      this.#view = openView(this.sessionId, entry.at, entry.event);
  }
}
