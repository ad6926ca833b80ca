import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capText,
  readableOutput,
  searchLines,
  trimScreen,
} from '../../../../runner/terminal/look/text.ts';

describe('text of a terminal', () => {
  it('is cut at its beginning, and says how much is left out', () => {
    expect(capText('abcdef', 4)).toEqual({ text: 'cdef', omitted: 2 });
    expect(capText('abc', 4)).toEqual({ text: 'abc', omitted: 0 });
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (text, most) => {
        const cut = capText(text, most);
        expect(cut.text.length + cut.omitted).toBe(text.length);
        expect(text.endsWith(cut.text)).toBe(true);
      }),
    );
  });

  it('has no empty lines at its end, and none less before', () => {
    expect(trimScreen('a  \n\n b \n\n\n')).toBe('a\n\n b');
  });

  it('is searched by words as they are, with the numbers of lines', () => {
    expect(searchLines('one\ntwo .*\nthree .*', '.*')).toBe('2: two .*\n3: three .*');
    expect(searchLines('one', 'x')).toBe('');
  });
});

describe('output for reading', () => {
  it.each([
    ['\x1b[1;31mred\x1b[0m\r\n', 'red'],
    ['10%\r50%\r100%\r\ndone', '100%\ndone'],
    ['a\r\r\n', 'a'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['grün ✓\r\n', 'grün ✓'],
    ['', ''],
  ])('of %j is %j', (bytes, text) => {
    expect(readableOutput(Buffer.from(bytes))).toBe(text);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(() => readableOutput(Buffer.from(bytes))).not.toThrow();
      }),
    );
  });
});
