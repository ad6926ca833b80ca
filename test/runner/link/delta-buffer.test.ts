import { beforeEach, describe, expect, test } from 'vitest';
import type { TextDelta } from '../../../protocol/engine-event.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { BLOCK_TEXT_MAX_BYTES, OPEN_BLOCKS_MAX, wholeText } from '../../../protocol/text.ts';
import { DeltaBuffer } from '../../../runner/link/deltas.ts';
import { exited, sessionEnded, started, turnEnded } from '../../support/feed-events.ts';
import { SESSION } from '../../support/protocol-builders.ts';

const OTHER = sessionId.parse('ses_test1x');
let buffer: DeltaBuffer;
beforeEach(() => {
  buffer = new DeltaBuffer();
});

const delta = (offset: number, text: string, over: Partial<TextDelta> = {}): TextDelta => ({
  sessionId: SESSION,
  turnId: null,
  blockId: 'm/0',
  parentToolId: null,
  kind: 'answer',
  offset,
  text,
  ...over,
});
const taken = () => buffer.take().map(({ offset, text }) => [offset, text]);

describe('text on its way', () => {
  test('that was taken is not taken again', () => {
    buffer.push(delta(0, 'abc'));
    expect(taken()).toEqual([[0, 'abc']]);
    expect(buffer.waiting).toBe(false);
    expect(taken()).toEqual([]);
  });

  test('goes on where it was taken', () => {
    buffer.push(delta(0, 'abc'));
    buffer.take();
    buffer.push(delta(3, 'de'));
    expect(taken()).toEqual([[3, 'de']]);
  });

  test('that is said anew from an earlier place replaces what stood there', () => {
    buffer.push(delta(0, 'abcdef'));
    buffer.take();
    buffer.push(delta(2, 'XY'));
    expect(taken()).toEqual([[2, 'XY']]);
  });

  test('of two sessions with the same block is kept apart', () => {
    buffer.push(delta(0, 'mine'));
    buffer.push(delta(0, 'hers', { sessionId: OTHER }));
    expect(buffer.take().map(({ sessionId: id, text }) => [id, text])).toEqual([
      [SESSION, 'mine'],
      [OTHER, 'hers'],
    ]);
  });

  test('beyond what a block may hold is left to the finished block', () => {
    buffer.push(delta(0, 'x'.repeat(BLOCK_TEXT_MAX_BYTES + 1)));
    buffer.take();
    buffer.push(delta(BLOCK_TEXT_MAX_BYTES + 1, 'more'));
    expect(buffer.waiting).toBe(false);
  });
});

describe('what settles it', () => {
  test.each([
    ['the end of its turn', turnEnded()],
    ['the end of its process', exited()],
    ['the end of its session', sessionEnded()],
  ])('is %s', (_what, event) => {
    buffer.push(delta(0, 'abc'));
    buffer.settle(SESSION, event);
    expect(buffer.waiting).toBe(false);
    buffer.restart();
    expect(buffer.take()).toEqual([]);
  });

  test('is not another session’s end, even of a name that begins alike', () => {
    buffer.push(delta(0, 'hers', { sessionId: OTHER }));
    buffer.settle(SESSION, sessionEnded());
    expect(buffer.waiting).toBe(true);
  });

  test('is not the beginning of a turn', () => {
    buffer.push(delta(0, 'abc'));
    buffer.settle(SESSION, started());
    expect(buffer.waiting).toBe(true);
  });

  test('is the finished block, for that block alone', () => {
    buffer.push(delta(0, 'one'));
    buffer.push(delta(0, 'two', { blockId: 'm/1' }));
    buffer.settle(SESSION, {
      type: 'text/completed',
      turnId: null,
      blockId: 'm/0',
      parentToolId: null,
      kind: 'answer',
      text: { text: 'one', truncated: null },
    });
    expect(buffer.take().map(({ blockId }) => blockId)).toEqual(['m/1']);
  });
});

/** Everything that it holds: a new connection is sent all of it. */
function held() {
  buffer.restart();
  const blocks = buffer.take();
  return { blocks: blocks.length, chars: blocks.reduce((sum, { text }) => sum + text.length, 0) };
}

test('a hundred thousand deltas of one message hold one message, of bounded length (P3)', () => {
  for (let index = 0; index < 100_000; index++) buffer.push(delta(index * 8, 'eight ch'));
  const { blocks, chars } = held();
  expect(blocks).toBe(1);
  expect(chars).toBeLessThanOrEqual(BLOCK_TEXT_MAX_BYTES + 8);
});

test('a hundred thousand deltas of a thousand messages hold what is not complete, of so many at most', () => {
  const write = (complete: boolean) => {
    for (let index = 0; index < 100_000; index++) {
      const blockId = `b${Math.floor(index / 100)}`;
      buffer.push(delta((index % 100) * 8, 'eight ch', { blockId }));
      if (!complete || index % 100 < 99) continue;
      buffer.settle(SESSION, {
        type: 'text/completed',
        turnId: null,
        blockId,
        parentToolId: null,
        kind: 'answer',
        text: wholeText(''),
      });
    }
  };
  write(true);
  expect(held()).toEqual({ blocks: 0, chars: 0 });
  // Messages that their engine never completes.
  write(false);
  expect(held()).toEqual({ blocks: OPEN_BLOCKS_MAX, chars: OPEN_BLOCKS_MAX * 800 });
});
