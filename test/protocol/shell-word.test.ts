import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteText, shellWord } from '../../protocol/shell-word.ts';

describe('a word of a command line', () => {
  it.each(['a', '--to=unix:/x', 'user@host', '%3', 'a{model}b', '{}', '1,2'])(
    'is shown plain where it is: %s',
    (word) => expect(shellWord(word)).toBe(word),
  );

  it.each(['', '=agent:', '{a,b}', '{1..3}', 'a b', '$3', '~', '*', "it's"])(
    'is quoted where a shell would take it for more: %j',
    (word) => expect(shellWord(word)).toBe(quoteText(word)),
  );

  it('is read back by a shell as it was, and as one', () => {
    const words = fc.array(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(words, fc.constantFrom(shellWord, quoteText), (all, write) => {
        const line = `printf '%s\\0' ${all.map(write).join(' ')}`;
        const read = execFileSync('bash', ['--norc', '-c', line], { env: { LC_ALL: 'C.UTF-8' } });
        expect(read).toEqual(Buffer.from(all.map((word) => `${word}\0`).join('')));
      }),
      { numRuns: 30 },
    );
  });
});
