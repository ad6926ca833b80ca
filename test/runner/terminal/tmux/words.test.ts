import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asArguments, asFormatText, asLine } from '../../../../runner/terminal/tmux/words.ts';

describe('words for tmux', () => {
  it('never end a command by what is in them', () => {
    expect(asArguments(['display', 'a;'], ['list', ';'])).toEqual([
      'display',
      'a\\;',
      ';',
      'list',
      '\\;',
    ]);
  });

  it('stand in single quotes on a line, where nothing is read in them', () => {
    expect(asLine(['send', "it's; $HOME", '#{x}'])).toBe(`'send' 'it'\\''s; $HOME' '#{x}'`);
    fc.assert(
      fc.property(fc.string(), (word) => {
        const plain = word.replaceAll(/\p{Cc}/gu, '');
        const line = asLine([plain]);
        // Undone as a shell and tmux do.
        expect(line.slice(1, -1).replaceAll(`'\\''`, "'")).toBe(plain);
      }),
    );
  });

  it('with control characters are no line at all', () => {
    for (const word of ['a\nkill-server', 'a\r', '\0', '\x1b'])
      expect(() => asLine(['display', word])).toThrow(RangeError);
  });

  it('run nothing where formats are read', () => {
    expect(asFormatText('#(touch x) #{pid}')).toBe('##(touch x) ##{pid}');
  });
});
