import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feedEvent, type FeedEntry, type FeedEvent } from '../../../protocol/engine-event.ts';
import { reduceSession } from '../../../protocol/session-reduce.ts';
import { sessionView, type SessionView } from '../../../protocol/session-view.ts';
import { SESSION_STATES, canBecome, type SessionState } from '../../../protocol/session.ts';
import { addUsage, type SpendTotals } from '../../../protocol/usage.ts';
import { EVENT_SHAPES, recordArbitrary } from '../../support/feed-arbitraries.ts';
import { entriesOf, viewAfter } from '../../support/protocol-builders.ts';

/** Every view on the way from the opened session to the end of the record. */
function viewsOf(events: readonly FeedEvent[]): SessionView[] {
  const views = [viewAfter()];
  for (const entry of entriesOf(events)) views.push(reduceSession(views.at(-1)!, entry));
  return views;
}

const usageOf = (events: readonly FeedEvent[]) =>
  events.flatMap((event) => {
    if (event.type === 'usage/recorded') return event.entries;
    return event.type === 'brain/answered' ? [event.usage] : [];
  });
/** What is counted whenever it is applied; that it is applied once is the reader's part. */
const COUNTED: ReadonlySet<FeedEvent['type']> = new Set<FeedEvent['type']>([
  'usage/recorded',
  'brain/answered',
  'model/metered',
  'act/seen',
]);
const bucketSum = (totals: SpendTotals) =>
  Object.values(totals).reduce((sum, bucket) => sum + (bucket?.microUsd ?? 0), 0);

/** An engine's first word takes a session through two states at once. */
const isPossible = (from: SessionState, to: SessionState) =>
  canBecome(from, to) ||
  (canBecome(from, 'bootstrap_confirmed') && canBecome('bootstrap_confirmed', to));

describe('the events that chance makes', () => {
  it('are every kind of event that a feed knows', () => {
    const known = feedEvent.options.map((option) => option.shape.type.value);
    expect(Object.keys(EVENT_SHAPES).toSorted()).toEqual(known.toSorted());
  });

  it('are events that the protocol accepts', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        for (const event of events)
          expect(feedEvent.safeParse(event).success, event.type).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('whatever the record says, in whatever order', () => {
  it('the view is one that the protocol accepts', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const view = viewAfter(...events);
        expect(sessionView.parse(view)).toEqual(view);
      }),
      { numRuns: 300 },
    );
  });

  it('the state is in the table, and moves only along it', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const states = viewsOf(events).map(({ state }) => state);
        for (const [index, state] of states.entries()) {
          expect(SESSION_STATES).toContain(state);
          const before = states[index - 1] ?? state;
          expect(isPossible(before, state), `${before} became ${state}`).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the spend is the sum of the recorded entries, bucket by bucket', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        expect(viewAfter(...events).spend).toEqual(usageOf(events).reduce(addUsage, {}));
      }),
      { numRuns: 300 },
    );
  });

  it('the turns together have never cost more than the session', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const { turns, spend } = viewAfter(...events);
        const ofTurns = turns.reduce((sum, turn) => sum + bucketSum(turn.spend), 0);
        expect(ofTurns).toBeLessThanOrEqual(bucketSum(spend));
      }),
    );
  });

  it('the acts are as many as were seen, a claim and its witness once, and those of the turns are among them', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const { acts, turns } = viewAfter(...events);
        const counted = events.filter(
          (event) => event.type === 'act/seen' && event.act.claimId === undefined,
        );
        expect(acts).toBe(counted.length);
        expect(turns.reduce((sum, turn) => sum + turn.acts, 0)).toBeLessThanOrEqual(acts);
      }),
    );
  });

  it('a turn is there once, and the open one is among the turns', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const { turns, openTurnId } = viewAfter(...events);
        const ids = turns.map(({ turnId }) => turnId);
        expect(new Set(ids).size).toBe(ids.length);
        expect([null, ...ids]).toContain(openTurnId);
      }),
    );
  });

  it('a request is pending once', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const ids = viewAfter(...events).pendingApprovals.map(({ requestId }) => requestId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('a halt stands until the session is ended, parked or launched again', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const states = viewsOf(events).map(({ state }) => state);
        for (const [index, state] of states.entries()) {
          if (states[index - 1] !== 'halted') continue;
          expect(['halted', 'parked', 'queued', 'stopped', 'failed', 'lost']).toContain(state);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('time goes forward: the state began no later than the last entry', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const view = viewAfter(...events);
        expect(view.updatedAt).toBe(events.length);
        expect(view.stateAt).toBeLessThanOrEqual(view.updatedAt);
        expect(view.createdAt).toBe(0);
      }),
    );
  });

  it('the views before are left as they were', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        const views = viewsOf(events);
        const copies = structuredClone(views);
        viewsOf(events);
        expect(views).toEqual(copies);
      }),
      { numRuns: 50 },
    );
  });
});

describe('an entry that arrives again', () => {
  it('is nothing new to a reader that goes by position, however the batches overlap', () => {
    fc.assert(
      fc.property(
        recordArbitrary,
        fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 12 }),
        (events, ranges) => {
          const entries = entriesOf(events);
          const batches: FeedEntry[][] = ranges.map(([from, to]) => entries.slice(from, to));
          let view = viewAfter();
          let upTo = 0;
          for (const entry of [...batches, entries].flat()) {
            if (entry.position !== upTo + 1) continue;
            view = reduceSession(view, entry);
            upTo = entry.position;
          }
          expect(view).toEqual(viewAfter(...events));
        },
      ),
    );
  });

  it('and is applied twice in a row changes nothing but what is counted', () => {
    fc.assert(
      fc.property(recordArbitrary, (events) => {
        let view = viewAfter();
        for (const entry of entriesOf(events)) {
          const once = reduceSession(view, entry);
          const counted = COUNTED.has(entry.event.type);
          const twice = counted ? once : reduceSession(once, entry);
          expect(twice, entry.event.type).toEqual(once);
          view = once;
        }
      }),
      { numRuns: 300 },
    );
  });
});
