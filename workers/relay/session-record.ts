import type { EventOf, FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { areSameImages } from '../../protocol/image.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { CreateSession } from '../lib/calls.ts';
import type { ApprovalStore } from './approvals.ts';
import { type Chunk, encodeChunks } from './chunks.ts';
import { type FeedFacts, FeedStore } from './feed-store.ts';

/** Entries between two stored snapshots: a boot replays at most this many, and the rest of a chunk. */
export const SNAPSHOT_EVERY = 500;

export type RecordState = { facts: FeedFacts; view: SessionView };

/** Whether a session is what this launch made: same machine, same first instruction and images. */
export function isLaunchOf({ facts, view }: RecordState, input: CreateSession): boolean {
  const [first] = view.turns;
  return (
    facts.runnerId === input.runnerId &&
    first?.turnId === input.turnId &&
    first.text === input.launch.objective &&
    areSameImages(first.images, input.images)
  );
}

/**
 * A session's record: entries in storage, facts and view in memory, moved on together. Memory
 * changes only after the transaction, so a failed write leaves both as they were.
 */
export class SessionRecord {
  readonly #storage: DurableObjectStorage;
  readonly #sessionId: SessionId;
  readonly #approvals: ApprovalStore;
  readonly store: FeedStore;
  #state: RecordState | null;
  #snapshotAt: number;

  constructor(storage: DurableObjectStorage, sessionId: SessionId, approvals: ApprovalStore) {
    this.#storage = storage;
    this.#sessionId = sessionId;
    this.#approvals = approvals;
    this.store = new FeedStore(storage.sql);
    const facts = this.store.readFacts();
    const snapshot = this.store.readSnapshot();
    this.#snapshotAt = snapshot?.position ?? 0;
    const view = facts ? this.#replay(snapshot?.view ?? null, this.#snapshotAt) : null;
    this.#state = facts && view ? { facts, view } : null;
  }

  get state(): RecordState | null {
    return this.#state;
  }

  /** Opens the record of a new session with the cloud's first events. */
  create(
    facts: Pick<FeedFacts, 'runnerId' | 'actorId'>,
    events: readonly FeedEvent[],
    nowMs: number,
    also: () => void,
  ): Chunk[] {
    const opened = { ...facts, epoch: 1, seqUpTo: 0, lastPosition: 0, projectedUpTo: 0 };
    return this.#commit(opened, null, this.#number(opened, events, nowMs), also);
  }

  /** Stores what the cloud itself says. `also` runs in the same transaction. */
  write(
    events: readonly FeedEvent[],
    nowMs: number,
    change: Partial<FeedFacts> = {},
    also: () => void = () => {},
  ): Chunk[] {
    const { facts, view } = this.#opened();
    return this.#commit({ ...facts, ...change }, view, this.#number(facts, events, nowMs), also);
  }

  /** Stores what the runner says; `entries` follow the last position. */
  append(entries: readonly FeedEntry[], seqUpTo: number): Chunk[] {
    const { facts, view } = this.#opened();
    return this.#commit({ ...facts, seqUpTo }, view, entries, () => {});
  }

  /** Everything up to here is in D1. */
  markProjected(upTo: number): void {
    this.passOver(upTo);
    this.store.writeFacts(this.#opened().facts);
  }

  /** Nothing up to here belongs in D1: kept in memory until the next write, for a crash only looks again. */
  passOver(upTo: number): void {
    const state = this.#opened();
    this.#state = { ...state, facts: { ...state.facts, projectedUpTo: upTo } };
  }

  #commit(
    facts: FeedFacts,
    view: SessionView | null,
    entries: readonly FeedEntry[],
    also: () => void,
  ): Chunk[] {
    const moved = { ...facts, lastPosition: entries.at(-1)?.position ?? facts.lastPosition };
    const next = entries.reduce<SessionView | null>(
      (held, entry) => step(this.#sessionId, held, entry),
      view,
    );
    if (!next) throw new Error('A record begins with session/created.');
    const chunks = encodeChunks(entries);
    const snapshot = moved.lastPosition - this.#snapshotAt >= SNAPSHOT_EVERY;
    this.#storage.transactionSync(() => {
      for (const chunk of chunks) this.store.appendChunk(chunk);
      this.store.writeFacts(moved);
      this.#approvals.follow(entries);
      if (view && view.pendingApprovals !== next.pendingApprovals) {
        this.#approvals.withdrawAllBut(next.pendingApprovals.map((request) => request.requestId));
      }
      if (snapshot) this.store.writeSnapshot(moved.lastPosition, next);
      also();
    });
    if (snapshot) this.#snapshotAt = moved.lastPosition;
    this.#state = { facts: moved, view: next };
    return chunks;
  }

  #number(facts: FeedFacts, events: readonly FeedEvent[], nowMs: number): FeedEntry[] {
    return events.map((event, index) => ({
      position: facts.lastPosition + 1 + index,
      at: nowMs,
      seq: null,
      event,
    }));
  }

  #opened(): RecordState {
    if (!this.#state) throw new Error('This session has no record.');
    return this.#state;
  }

  #replay(view: SessionView | null, after: number): SessionView | null {
    let held = view;
    let cursor = after;
    for (
      let page = this.store.listEntries(cursor, 1_000);
      page.length > 0;
      page = this.store.listEntries(cursor, 1_000)
    ) {
      for (const entry of page) held = step(this.#sessionId, held, entry);
      cursor = page.at(-1)?.position ?? cursor;
    }
    return held;
  }
}

function step(
  sessionId: SessionId,
  view: SessionView | null,
  entry: FeedEntry,
): SessionView | null {
  if (view) return reduceSession(view, entry);
  return isCreated(entry.event) ? openView(sessionId, entry.at, entry.event) : null;
}

function isCreated(event: FeedEvent): event is EventOf<'session/created'> {
  return event.type === 'session/created';
}
