// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedFrame } from '../../../protocol/console-frames.ts';
import { openView, reduceSession } from '../../../protocol/session-reduce.ts';
import { EMPTY_FEED, type FeedState, isCaughtUp, reduceFeed } from '../../../console/feed/feed.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../console/feed/transcript.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { created, entriesOf, SESSION } from '../../support/protocol-builders.ts';

const RECORD = entriesOf([...eventsUntilApproval(), ...eventsAfterApproval()]);

function viewAt(upTo: number) {
  const first = created();
  if (first.type !== 'session/created') throw new Error('a record begins with session/created');
  return RECORD.slice(0, upTo).reduce(reduceSession, openView(SESSION, 0, first));
}

const snapshot = (upTo: number): FeedFrame => ({
  type: 'snapshot',
  view: viewAt(upTo),
  upTo,
  presence: 'online',
});

const entries = (from: number, to: number): FeedFrame => ({
  type: 'entries',
  entries: RECORD.slice(from, to),
});

const play = (frames: readonly FeedFrame[], from: FeedState = EMPTY_FEED) =>
  frames.reduce(reduceFeed, from);

const whole = () => play([snapshot(RECORD.length), entries(0, RECORD.length)]);

describe('a feed', () => {
  it('shows the view of the snapshot while the record before it is still being read', () => {
    const state = play([snapshot(RECORD.length), entries(0, 3)]);
    expect(state.view).toEqual(viewAt(RECORD.length));
    expect(isCaughtUp(state)).toBe(false);
    expect(isCaughtUp(whole())).toBe(true);
  });

  it('counts nothing twice that the snapshot already includes', () => {
    expect(whole().view?.spend.reported?.microUsd).toBe(213_000);
    expect(whole().view?.acts).toBe(1);
  });

  it('notices a hole, keeps what is before it, and applies nothing after it', () => {
    const state = play([snapshot(4), entries(0, 4), entries(6, 9)]);
    expect(state.gap).toBe(true);
    expect(state.cursor).toBe(4);
    expect(play([snapshot(9), entries(4, 9)], state)).toMatchObject({ gap: false, cursor: 9 });
  });

  it('begins again when the record is shorter than what it has', () => {
    const state = play([snapshot(2), entries(0, 2)], whole());
    expect(state.cursor).toBe(2);
    expect(state.view).toEqual(viewAt(2));
    expect(state.transcript).toEqual(reduceTranscript(EMPTY_TRANSCRIPT, RECORD.slice(0, 2)));
  });

  it('has no spinner left when the end of the turn came while it was away', () => {
    const asked = eventsUntilApproval().length;
    const before = play([snapshot(asked), entries(0, asked)]);
    expect(before.view?.openTurnId).not.toBeNull();
    const after = play([snapshot(RECORD.length), entries(asked, RECORD.length)], before);
    expect(after.view?.openTurnId).toBeNull();
    expect(after.view?.state).toBe('idle');
    expect(after.live.size).toBe(0);
  });

  it('says what the server refused', () => {
    const state = play([{ type: 'failed', code: 'internal', message: 'It broke.' }]);
    expect(state.failure?.message).toBe('It broke.');
  });
});

/** A run of reconnections: each gives a snapshot, then pieces that overlap, repeat or skip. */
const pieces = fc.array(
  fc.record({
    upTo: fc.integer({ min: 1, max: RECORD.length }),
    cuts: fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: RECORD.length - 1 }),
        fc.integer({ min: 1, max: RECORD.length }),
      ),
      { maxLength: 8 },
    ),
  }),
  { maxLength: 6 },
);

describe('whatever is repeated, overlaps or is missing', () => {
  it('leaves each entry once and in order', () => {
    fc.assert(
      fc.property(pieces, (connections) => {
        let state = EMPTY_FEED;
        let known = 0;
        for (const { upTo, cuts } of connections) {
          known = Math.max(known, upTo);
          state = reduceFeed(state, snapshot(known));
          for (const [from, length] of cuts) {
            const to = Math.min(known, from + length);
            if (to > from) state = reduceFeed(state, entries(from, to));
          }
          expect(state.transcript).toEqual(
            reduceTranscript(EMPTY_TRANSCRIPT, RECORD.slice(0, state.cursor)),
          );
        }
        // The last connection resumes from the cursor, as the socket does.
        state = reduceFeed(state, snapshot(RECORD.length));
        if (state.cursor < RECORD.length) {
          state = reduceFeed(state, entries(state.cursor, RECORD.length));
        }
        expect(state.view).toEqual(viewAt(RECORD.length));
        expect(state.transcript).toEqual(whole().transcript);
      }),
    );
  });

  it('gives the same view live as from a later snapshot', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: RECORD.length - 1 }), (upTo) => {
        const state = play([snapshot(upTo), entries(0, upTo), entries(upTo, RECORD.length)]);
        expect(state.view).toEqual(viewAt(RECORD.length));
      }),
    );
  });
});
