import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../../runner/process/lines.ts';

test('however a stream is cut into chunks, its lines are the same', () => {
  const lines = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 40 }).filter((line) => !/[\r\n]/.test(line)),
  );
  fc.assert(
    fc.property(
      lines,
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (expected, sizes) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const splitter = new LineSplitter();
        const seen: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          seen.push(...splitter.push(bytes.subarray(at, at + size)).lines);
          at += size;
        }
        expect(seen).toEqual(expected);
        expect(splitter.pendingBytes).toBe(0);
      },
    ),
  );
});

test('a line that has not ended is held back, and its bytes are counted', () => {
  const splitter = new LineSplitter();
  expect(splitter.push(Buffer.from('one\ntwo')).lines).toEqual(['one']);
  expect(splitter.pendingBytes).toBe(3);
  expect(splitter.push(Buffer.from('\n')).lines).toEqual(['two']);
});

test('a line longer than the bound is skipped and counted, and the next one is read', () => {
  const splitter = new LineSplitter(10);
  expect(splitter.push(Buffer.from('x'.repeat(8))).lines).toEqual([]);
  expect(splitter.push(Buffer.from('x'.repeat(8))).skipped).toBe(0);
  expect(splitter.push(Buffer.from('x\nshort\n'))).toEqual({ lines: ['short'], skipped: 1 });
});

test('what is held is not the caller’s buffer, which is read into again', () => {
  const splitter = new LineSplitter();
  const buffer = Buffer.from('hel');
  splitter.push(buffer);
  buffer.fill('x');
  expect(splitter.push(Buffer.from('lo\n')).lines).toEqual(['hello']);
});

test('a stream that ends without a newline still gives its last line', () => {
  const splitter = new LineSplitter();
  splitter.push(Buffer.from('last'));
  expect(splitter.flush()).toBe('last');
  expect(splitter.flush()).toBeNull();
});

test('an empty line is a line, and a carriage return before its end no part of one', () => {
  expect(new LineSplitter().push(Buffer.from('a\r\n\r\n\nb\n')).lines).toEqual(['a', '', '', 'b']);
});
