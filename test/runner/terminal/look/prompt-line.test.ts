import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtCursor, decideLine } from '../../../../runner/terminal/look/prompt-line.ts';

const PROMPTS = [
  '$ ',
  '# ',
  '% ',
  'me@host:~/code$ ',
  '[me@host code]$ ',
  'me@host ~/code (main)> ',
  '~/code ❯ ',
  'bash-5.2# ',
];
const at = (before: string, after = '') => ({ before, after });

describe('the line of a shell', () => {
  it.each(PROMPTS)('is empty at %j', (prompt) => {
    expect(decideLine(at(prompt), null)).toBe('empty');
  });

  it('is never empty with words on it, whatever they end with', () => {
    const word = fc.stringMatching(/^[!-~]{1,12}$/);
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' '));
    fc.assert(
      fc.property(
        fc.constantFrom(...PROMPTS),
        words,
        fc.constantFrom('', ' '),
        (prompt, text, end) => {
          expect(decideLine(at(prompt + text + end), null)).not.toBe('empty');
        },
      ),
    );
  });

  it('with a person’s text is typed, not only unclear', () => {
    expect(decideLine(at('me@host:~$ rm -rf build'), null)).toBe('typed');
    expect(decideLine(at('$ ls >'), null)).toBe('typed');
  });

  it.each([
    '> ',
    'dquote> ',
    'for> ',
    'if then> ',
    '',
    'Name: ',
    'Password:',
    '>>> ',
    'Sure? [y/n] ',
  ])('is unclear at %j, which is no prompt for a command', (before) => {
    expect(decideLine(at(before), null)).not.toBe('empty');
  });

  it('is unclear with anything after the cursor', () => {
    expect(decideLine(at('$ ', 'ls'), null)).toBe('unclear');
    expect(decideLine(at('% ', '             12:30'), null)).toBe('unclear');
  });

  it('is ours only while it is exactly as our words left it', () => {
    const pending = at('$ ls');
    expect(decideLine(at('$ ls'), pending)).toBe('ours');
    expect(decideLine(at('$ ls -l'), pending)).toBe('typed');
    expect(decideLine(at('$ ls', 'x'), pending)).toBe('unclear');
    expect(decideLine(at('$ '), pending)).toBe('empty');
  });
});

describe('cutting at the cursor', () => {
  it('counts cells, and fills up what was never written', () => {
    expect(cutAtCursor('$ ls', 2)).toEqual(at('$ ', 'ls'));
    expect(cutAtCursor('$', 2)).toEqual(at('$ '));
    expect(cutAtCursor('❯ λ', 3)).toEqual(at('❯ λ'));
  });

  it.each(['漢字 $ ', 'e\u0301 $ ', '🚀 $ '])(
    'is not tried in %j, whose cells are not its characters',
    (row) => {
      expect(cutAtCursor(row, 3)).toBeNull();
    },
  );
});
