// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextDelta } from '../../../protocol/engine-event.ts';
import { BLOCK_TEXT_MAX_BYTES, OPEN_BLOCKS_MAX, wholeText } from '../../../protocol/text.ts';
import { EMPTY_FEED, type FeedState, reduceFeed } from '../../../console/feed/feed.ts';
import {
  addDeltas,
  type LiveText,
  NO_LIVE_TEXT,
  settleLiveText,
} from '../../../console/feed/live-text.ts';
import { entriesOf, SESSION, TURN } from '../../support/protocol-builders.ts';

const NONE = new Map<string, number>();

const delta = (offset: number, text: string, blockId = 'b'): TextDelta => ({
  sessionId: SESSION,
  turnId: TURN,
  blockId,
  parentToolId: null,
  kind: 'answer',
  offset,
  text,
});

const add = (...deltas: TextDelta[]): LiveText => addDeltas(NO_LIVE_TEXT, deltas, NONE);

describe('text on its way', () => {
  it('grows by what follows on', () => {
    expect(add(delta(0, 'Hel'), delta(3, 'lo'))?.get('b')).toMatchObject({
      text: 'Hello',
      missing: 0,
    });
  });

  it('shows that its beginning is missing after a hole', () => {
    const live = add(delta(0, 'Hel'), delta(7, 'world'));
    expect(live.get('b')).toMatchObject({ text: 'world', missing: 7 });
  });

  it('is whole again when the server sends the block from its beginning', () => {
    const live = add(delta(7, 'world'), delta(0, 'Hello, world!'));
    expect(live.get('b')).toMatchObject({ text: 'Hello, world!', missing: 0 });
  });

  it('ignores what comes after the record has the block', () => {
    const done = new Map([['text:b', 0]]);
    expect(addDeltas(NO_LIVE_TEXT, [delta(0, 'late')], done).size).toBe(0);
  });

  it('ends with its block, and all of it with the turn', () => {
    const live = add(delta(0, 'one', 'a'), delta(0, 'two', 'b'));
    const completed = entriesOf([
      {
        type: 'text/completed',
        turnId: TURN,
        blockId: 'a',
        parentToolId: null,
        kind: 'answer',
        text: wholeText('one'),
      },
    ]);
    expect([...settleLiveText(live, completed).keys()]).toEqual(['b']);
    const ended = entriesOf([
      {
        type: 'turn/ended',
        turnId: TURN,
        outcome: 'ok',
        error: null,
        durationMs: 1,
        usage: 'none',
        acts: 'none',
      },
    ]);
    expect(settleLiveText(live, ended).size).toBe(0);
    expect(settleLiveText(live, entriesOf([]))).toBe(live);
  });

  it('is the text itself however it is cut, repeated and overlapped', () => {
    const cuts = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 20 })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), cuts, (text, repeats) => {
        const noise = repeats.map(([from, length]) => delta(from, text.slice(from, from + length)));
        let live = NO_LIVE_TEXT;
        for (let reached = 1; reached <= text.length; reached++) {
          live = addDeltas(live, [delta(reached - 1, text.charAt(reached - 1))], NONE);
          // Repeats of what was already sent may come at any time.
          const past = noise.filter(
            (held) => held.text && held.offset + held.text.length <= reached,
          );
          live = addDeltas(live, past, NONE);
          expect(live.get('b')?.text).toBe(text.slice(0, reached));
        }
      }),
    );
  });
});

describe('a hundred thousand deltas in a page', () => {
  const write = (feed: FeedState, blocks: number, complete: boolean): FeedState => {
    const each = 100_000 / blocks;
    let state = feed;
    for (let index = 0; index < 100_000; index++) {
      const blockId = `b${Math.floor(index / each)}`;
      const piece = delta((index % each) * 8, 'eight ch', blockId);
      state = reduceFeed(state, { type: 'deltas', deltas: [piece] });
      if (!complete || index % each < each - 1) continue;
      const event = {
        type: 'text/completed',
        turnId: TURN,
        blockId,
        parentToolId: null,
        kind: 'answer',
        text: wholeText('eight ch'.repeat(each)),
      } as const;
      const entry = { position: state.cursor + 1, at: 1, seq: state.cursor + 1, event };
      state = reduceFeed(state, { type: 'entries', entries: [entry] });
    }
    return state;
  };
  const charsOf = (live: LiveText) =>
    [...live.values()].reduce((sum, { text }) => sum + text.length, 0);

  it('of one message hold one block of bounded length (P3)', () => {
    const { live } = write(EMPTY_FEED, 1, false);
    expect(live.size).toBe(1);
    expect(charsOf(live)).toBeLessThanOrEqual(1.25 * BLOCK_TEXT_MAX_BYTES);
    expect((live.get('b0')?.missing ?? 0) + charsOf(live)).toBe(800_000);
  });

  it('of a thousand messages hold the record of these, and nothing of the deltas', () => {
    const { live, transcript } = write(EMPTY_FEED, 1_000, true);
    expect(live.size).toBe(0);
    expect(transcript.items).toHaveLength(1_000);
    const text = 1_000 * 800;
    expect(JSON.stringify(transcript.items).length).toBeLessThan(2 * text);
    expect(transcript.places.size).toBe(1_000);
  });

  it('of messages that nobody completes hold so many of them at most', () => {
    expect(write(EMPTY_FEED, 1_000, false).live.size).toBe(OPEN_BLOCKS_MAX);
  });
});
