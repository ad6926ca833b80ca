import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWhole, type Frame, LossError, readBare, readDeltas, readEvents } from './arrivals.ts';

const mark = (index: number) => `[${index}@${(1000 + index).toFixed(3)}] a few words.`;
const frame = (at: number, value: unknown): Frame => ({ at, text: JSON.stringify(value) });

const entry = (position: number, blockId: string, text: string) => ({
  position,
  at: 1,
  seq: position,
  event: {
    type: 'text/completed',
    turnId: null,
    blockId,
    parentToolId: null,
    kind: 'answer',
    text: { text, truncated: null },
  },
});
const entries = (at: number, ...list: ReturnType<typeof entry>[]) =>
  frame(at, { type: 'entries', entries: list });
const delta = (at: number, blockId: string, offset: number, text: string) =>
  frame(at, {
    type: 'deltas',
    deltas: [
      {
        sessionId: 'ses_bench',
        turnId: null,
        blockId,
        parentToolId: null,
        kind: 'answer',
        offset,
        text,
      },
    ],
  });

describe('stored events', () => {
  it('arrive when their frame did', () => {
    const frames = [entries(2000, entry(1, 'a', mark(0)), entry(2, 'b', mark(1)))];
    expect(readEvents(frames)).toEqual([
      { index: 0, sentAt: 1000, seenAt: 2000 },
      { index: 1, sentAt: 1001, seenAt: 2000 },
    ]);
  });

  it('void a run when a position is missing', () => {
    const frames = [entries(1, entry(1, 'a', mark(0)), entry(3, 'b', mark(1)))];
    expect(() => readEvents(frames)).toThrow(LossError);
  });

  it('void a run when a position comes again', () => {
    const frames = [entries(1, entry(1, 'a', mark(0))), entries(2, entry(1, 'a', mark(0)))];
    expect(() => readEvents(frames)).toThrow(LossError);
  });

  it('are told from what else a session says', () => {
    expect(readEvents([frame(1, { type: 'presence', presence: 'online' })])).toEqual([]);
  });
});

describe('deltas', () => {
  const whole = mark(0) + mark(1);

  it('arrive when a reader could first read them, however the text was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
        const frames = [
          delta(10, 'a', 0, whole.slice(0, cut)),
          delta(20, 'a', cut, whole.slice(cut)),
        ];
        const arrivals = readDeltas(frames);
        checkWhole(arrivals, 2);
        const closes = whole.indexOf(']') + 1;
        expect(arrivals[0]?.seenAt).toBe(cut >= closes ? 10 : 20);
      }),
    );
  });

  it('that were never sent arrive with the completed block', () => {
    const frames = [delta(10, 'a', 0, mark(0)), entries(30, entry(1, 'a', whole))];
    expect(readDeltas(frames).map(({ seenAt }) => seenAt)).toEqual([10, 30]);
  });

  it('may run ahead of the block before theirs', () => {
    const frames = [delta(10, 'b', 0, mark(1)), entries(20, entry(1, 'a', mark(0)))];
    expect(readDeltas(frames).map(({ index }) => index)).toEqual([0, 1]);
  });

  it('void a run when they leave a hole', () => {
    expect(() => readDeltas([delta(10, 'a', 5, mark(0))])).toThrow(/hole from 0 to 5/);
  });

  it('void a run when the completed block says something else', () => {
    const frames = [delta(10, 'a', 0, mark(0)), entries(20, entry(1, 'a', mark(1)))];
    expect(() => readDeltas(frames)).toThrow(/not what its deltas showed/);
  });
});

describe('a run', () => {
  const arrivals = readBare([0, 1, 2, 3].map((index) => ({ at: 5, text: mark(index) })));

  it('is whole when every mark came once and in order', () => {
    expect(() => checkWhole(arrivals, 4)).not.toThrow();
  });

  it('is void when any mark is lost, repeated or out of order', () => {
    fc.assert(
      fc.property(fc.nat(2), (at) => {
        expect(() => checkWhole(arrivals.toSpliced(at, 1), 4)).toThrow(LossError);
        expect(() => checkWhole(arrivals.toSpliced(at, 0, arrivals[at]!), 4)).toThrow(LossError);
        const swapped = arrivals.with(at, arrivals[at + 1]!).with(at + 1, arrivals[at]!);
        expect(() => checkWhole(swapped, 4)).toThrow(LossError);
      }),
    );
  });

  it('is void when its end is missing', () => {
    expect(() => checkWhole(arrivals.slice(0, 3), 4)).toThrow('4 were sent and 3 arrived');
  });
});
