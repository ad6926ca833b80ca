import { isConsecutive } from '../../protocol/delivery.ts';
import type { SequencedEvent } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { AppendReply } from '../lib/calls.ts';

export type LaneOutlets = {
  append(sessionId: SessionId, events: readonly SequencedEvent[]): Promise<AppendReply>;
  stored(sessionId: SessionId, upTo: number): void;
  gap(sessionId: SessionId, expected: number): void;
  /** The feed will never take this session’s events from this runner. */
  refused(sessionId: SessionId, code: Extract<AppendReply, { kind: 'refused' }>['code']): void;
  /** A feed that failed; it is asked again after `waitMs`. */
  failed(sessionId: SessionId, fault: unknown, waitMs: number): void;
  wait(ms: number): Promise<void>;
};

/** Most events of one append: what a runner may have in flight for one session. */
export const LANE_MAX_EVENTS = 2_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

type Lane = { waiting: SequencedEvent[]; busy: boolean };

/**
 * One lane per session, so that a slow feed holds back only itself. In a lane, one append is
 * under way at a time and carries everything that came during the one before it.
 */
export class AppendLanes {
  readonly #outlets: LaneOutlets;
  readonly #lanes = new Map<SessionId, Lane>();

  constructor(outlets: LaneOutlets) {
    this.#outlets = outlets;
  }

  /** Takes a frame's events. Returns the session whose seqs have a hole, or null if none has. */
  accept(events: readonly SequencedEvent[]): SessionId | null {
    const groups = Map.groupBy(events, (event) => event.sessionId);
    for (const [sessionId, group] of groups) {
      if (!isConsecutive(group.map((event) => event.seq))) return sessionId;
    }
    for (const [sessionId, group] of groups) {
      const lane = this.#lanes.get(sessionId) ?? { waiting: [], busy: false };
      this.#lanes.set(sessionId, lane);
      lane.waiting.push(...group);
      if (!lane.busy) void this.#drain(sessionId, lane);
    }
    return null;
  }

  /** Forgets what has not been handed over: a new connection sends it again. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting = [];
  }

  async #drain(sessionId: SessionId, lane: Lane): Promise<void> {
    lane.busy = true;
    while (lane.waiting.length > 0) {
      const run = takeRun(lane.waiting, LANE_MAX_EVENTS);
      const held = lane.waiting;
      const reply = await this.#append(sessionId, lane, run);
      if (reply?.kind === 'stored') {
        if (lane.waiting === held) held.splice(0, run.length);
        this.#outlets.stored(sessionId, reply.upTo);
      } else if (reply && lane.waiting === held) {
        lane.waiting = [];
        if (reply.kind === 'gap') this.#outlets.gap(sessionId, reply.expected);
        else this.#outlets.refused(sessionId, reply.code);
      }
    }
    lane.busy = false;
    this.#lanes.delete(sessionId);
  }

  /** Appends a run, again and again while the feed fails; undefined once nobody waits for it. */
  async #append(
    sessionId: SessionId,
    lane: Lane,
    run: SequencedEvent[],
  ): Promise<AppendReply | undefined> {
    // Clearing the lane replaces its array: that is how this call learns that nobody waits.
    const held = lane.waiting;
    for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      try {
        return await this.#outlets.append(sessionId, run);
      } catch (fault) {
        this.#outlets.failed(sessionId, fault, waitMs);
        await this.#outlets.wait(waitMs);
        if (lane.waiting !== held) return undefined;
      }
    }
  }
}

/** The longest run of consecutive seqs at the head, up to `max`: a resend begins a new run. */
export function takeRun(events: readonly SequencedEvent[], max: number): SequencedEvent[] {
  const run: SequencedEvent[] = [];
  for (const event of events) {
    const previous = run.at(-1);
    if (run.length >= max || (previous && event.seq !== previous.seq + 1)) break;
    run.push(event);
  }
  return run;
}
