import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeltaBuffer } from '../../../runner/link/deltas.ts';
import { SESSION, TURN } from '../../support/protocol-builders.ts';
import { wholeText } from '../../../protocol/text.ts';

const delta = (offset: number, text: string, blockId = 'b1') =>
  ({
    sessionId: SESSION,
    turnId: TURN,
    blockId,
    parentToolId: null,
    kind: 'answer',
    offset,
    text,
  }) as const;

test('however often the socket takes something, what it takes joins up to the whole block', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.boolean())), (pieces) => {
      const buffer = new DeltaBuffer();
      let offset = 0;
      let seen = '';
      const take = () => {
        for (const taken of buffer.take()) {
          expect(taken.offset).toBe(seen.length);
          seen += taken.text;
        }
      };
      for (const [text, takes] of pieces) {
        buffer.push(delta(offset, text));
        offset += text.length;
        if (takes) take();
      }
      take();
      expect(seen).toBe(pieces.map(([text]) => text).join(''));
    }),
  );
});

test('a slow socket gets one delta for a block, however many there were', () => {
  const buffer = new DeltaBuffer();
  for (let index = 0; index < 1_000; index++) buffer.push(delta(index, 'x'));
  expect(buffer.take()).toMatchObject([{ offset: 0, text: 'x'.repeat(1_000) }]);
  expect(buffer.waiting).toBe(false);
});

test('a new connection begins with the whole of every open block', () => {
  const buffer = new DeltaBuffer();
  buffer.push(delta(0, 'Hello '));
  buffer.take();
  buffer.push(delta(6, 'world'));
  buffer.restart();
  expect(buffer.take()).toMatchObject([{ offset: 0, text: 'Hello world' }]);
});

test('a completed block has no deltas any more', () => {
  const buffer = new DeltaBuffer();
  buffer.push(delta(0, 'Hello'));
  buffer.push(delta(0, 'Other', 'b2'));
  buffer.settle(SESSION, {
    type: 'text/completed',
    turnId: TURN,
    blockId: 'b1',
    parentToolId: null,
    kind: 'answer',
    text: wholeText('Hello'),
  });
  expect(buffer.take().map(({ blockId }) => blockId)).toEqual(['b2']);
});

test('the end of a process ends whatever was open', () => {
  const buffer = new DeltaBuffer();
  buffer.push(delta(0, 'Hello'));
  buffer.settle(SESSION, { type: 'session/ended', end: 'stopped', reason: '' });
  expect(buffer.take()).toEqual([]);
});

test('after a hole in a block nothing is made up', () => {
  const buffer = new DeltaBuffer();
  buffer.push(delta(0, 'Hello'));
  buffer.push(delta(9, 'late'));
  expect(buffer.take()).toMatchObject([{ text: 'Hello' }]);
});
