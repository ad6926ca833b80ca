import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';

const PIECES = [
  'git',
  'push',
  'merge',
  'rm',
  '-rf',
  '/',
  '--',
  '$x',
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '\n',
  '<<EOF',
  'EOF',
  '\\',
  'bash',
  '-c',
  'eval',
  'f()',
  'f',
  'if',
  'then',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'case',
  'esac',
  '${',
  '#',
  '>',
  '<(',
  'xargs',
  'env',
  'A=1',
  'alias',
  'a=b',
  '[[',
  ']]',
  '((',
  '))',
  '*',
  '~',
  '!',
  'constructor',
  '__proto__',
  'npm',
  'publish',
  'curl',
  'gh',
  'api',
  '-X',
];

const soup = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 30 })
  .map((pieces) => pieces.join(' '));

describe('any text at all', () => {
  test('never makes the classifier throw', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 200 })), (line) => {
        expect(Array.isArray(classifyCommand(line))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is classified the same every time', () => {
    fc.assert(
      fc.property(soup, (line) => {
        expect(classifyCommand(line)).toEqual(classifyCommand(line));
      }),
    );
  });

  test('is no act when it is one quoted argument', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ maxLength: 100 })), (line) => {
        const quoted = `'${line.replaceAll("'", `'\\''`)}'`;
        expect(classifyCommand(`echo ${quoted}`)).toEqual([]);
        expect(classifyCommand(`git commit -m ${quoted}`)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('deep nesting ends', () => {
    const deep = `${'bash -c "'.repeat(200)}git push${'"'.repeat(200)}`;
    const parens = `${'('.repeat(2_000)}git push${')'.repeat(2_000)}`;
    const calls = `${Array.from({ length: 30 }, (_, index) => `f${index}() { f${index + 1}; f${index + 1}; }`).join('; ')}; f30() { git push; }; f0`;
    for (const line of [deep, parens, calls])
      expect(Array.isArray(classifyCommand(line))).toBe(true);
  });

  test('a line of a hundred thousand characters ends', () => {
    // Read in squares it would outlive the time that a test has.
    expect(classifyCommand('echo word; '.repeat(9_000))).toEqual([]);
  });
});
