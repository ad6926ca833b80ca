import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../runner/process/lines.ts';

const push = (splitter: LineSplitter, text: string) => splitter.push(Buffer.from(text));

describe('a line', () => {
  test('exactly as long as the bound is read', () => {
    expect(push(new LineSplitter(5), 'abcde\n')).toEqual({ lines: ['abcde'], skipped: 0 });
  });

  test('of one byte more is skipped', () => {
    expect(push(new LineSplitter(5), 'abcdef\n')).toEqual({ lines: [], skipped: 1 });
  });

  test('is measured in bytes, not in characters', () => {
    expect(push(new LineSplitter(5), 'ääa\n')).toEqual({ lines: ['ääa'], skipped: 0 });
    expect(push(new LineSplitter(5), 'äää\n')).toEqual({ lines: [], skipped: 1 });
  });

  test('that is too long is skipped once, in however many pieces it comes', () => {
    const splitter = new LineSplitter(3);
    expect(push(splitter, 'abcd')).toEqual({ lines: [], skipped: 0 });
    expect(push(splitter, 'efgh')).toEqual({ lines: [], skipped: 0 });
    expect(push(splitter, 'ij\nok\n')).toEqual({ lines: ['ok'], skipped: 1 });
  });

  test('that is too long still counts as not ended: a restarted reader goes back by all of it', () => {
    const splitter = new LineSplitter(3);
    push(splitter, 'ok\nabcdefgh');
    expect(splitter.pendingBytes).toBe(8);
  });

  test('that is too long at the very end of the stream is no line', () => {
    const splitter = new LineSplitter(3);
    push(splitter, 'abcdef');
    expect(splitter.flush()).toBeNull();
    expect(splitter.pendingBytes).toBe(0);
  });

  test('may be cut in the middle of a character', () => {
    const splitter = new LineSplitter();
    const bytes = Buffer.from('a🚀b\n');
    expect(splitter.push(bytes.subarray(0, 3)).lines).toEqual([]);
    expect(splitter.push(bytes.subarray(3)).lines).toEqual(['a🚀b']);
  });

  test('keeps a carriage return that is not at its end', () => {
    expect(push(new LineSplitter(), 'a\rb\r\n').lines).toEqual(['a\rb']);
  });

  test('that is only a carriage return is an empty one', () => {
    expect(push(new LineSplitter(), '\r\n\n').lines).toEqual(['', '']);
  });

  test('after the stream ended once may come again: the reader is as new', () => {
    const splitter = new LineSplitter();
    push(splitter, 'half');
    expect(splitter.flush()).toBe('half');
    expect(splitter.flush()).toBeNull();
    expect(push(splitter, 'whole\n').lines).toEqual(['whole']);
  });
});

describe('what is held back', () => {
  test('is never more than the bound and a chunk, and what was skipped is told', () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(chunk), fc.integer({ min: 1, max: 12 }), (chunks, bound) => {
        const splitter = new LineSplitter(bound);
        const seen = { lines: [] as string[], skipped: 0 };
        for (const each of chunks) {
          const { lines, skipped } = push(splitter, each);
          seen.lines.push(...lines);
          seen.skipped += skipped;
        }
        const whole = chunks.join('').split('\n').slice(0, -1);
        expect(seen.lines).toEqual(whole.filter((line) => line.length <= bound));
        expect(seen.skipped).toBe(whole.filter((line) => line.length > bound).length);
        expect(splitter.pendingBytes).toBe(chunks.join('').split('\n').at(-1)?.length);
      }),
    );
  });
});
