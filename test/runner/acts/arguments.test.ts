import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  has,
  isDryRun,
  parseOptions,
  placesOfFind,
  words,
} from '../../../runner/acts/arguments.ts';
import { certain, showCommand } from '../../../runner/acts/types.ts';

const options = (line: string, valued: readonly string[] = []) =>
  parseOptions(line.split(' ').filter(Boolean).map(certain), valued);
const value = (line: string, name: string, valued: readonly string[]) =>
  options(line, valued).values.get(name);

describe('options', () => {
  test.each([
    ['-f', '-f'],
    ['-rf', '-f'],
    ['-rf', '-r'],
    ['--force', '--force'],
    ['--force=yes', '--force'],
    ['a -f b', '-f'],
  ])('of %j are known by %s', (line, name) => {
    expect(has(options(line), name)).toBe(true);
  });

  test.each([
    ['-- -f', '-f'],
    ['--forceful', '--force'],
    ['-', '-f'],
    ['', '-f'],
    ['f', '-f'],
  ])('of %j are not %s', (line, name) => {
    expect(has(options(line), name)).toBe(false);
  });

  test.each([
    ['-m words x', '-m', 'words'],
    ['-mwords x', '-m', 'words'],
    ['-m=words x', '-m', 'words'],
    ['--message words x', '--message', 'words'],
    ['--message=words x', '--message', 'words'],
    ['--message=a=b x', '--message', 'a=b'],
    ['--message', '--message', ''],
  ])('of %j give %s the value %j', (line, name, expected) => {
    expect(value(line, name, ['-m', '--message'])).toBe(expected);
  });

  test('that take a value take it away from the operands', () => {
    expect(words(options('-m words x', ['-m']))).toEqual(['x']);
    expect(words(options('-m words x'))).toEqual(['words', 'x']);
  });

  test('that take a value take even one that looks like an option', () => {
    expect(value('-m -f', '-m', ['-m'])).toBe('-f');
    expect(has(options('-m -f', ['-m']), '-f')).toBe(false);
  });

  test('end at two dashes: what follows is what it says', () => {
    expect(words(options('a -- -b --c d'))).toEqual(['a', '-b', '--c', 'd']);
  });

  test('are not what a single dash is', () => {
    expect(words(options('- x'))).toEqual(['-', 'x']);
  });
});

describe('asking for words only', () => {
  test.each([
    ['--dry-run', true],
    ['--help', true],
    ['--dry-run=client', true],
    ['--dry-run=none', false],
    ['', false],
    ['-- --dry-run', false],
  ])('%j is that: %s', (line, dry) => {
    expect(isDryRun(options(line))).toBe(dry);
  });
});

describe('any arguments at all', () => {
  test('are taken apart without loss of an operand', () => {
    const operand = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    const flag = fc.stringMatching(/^-{1,2}[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.oneof(operand, flag)), (args) => {
        const given = args.filter((arg) => !arg.startsWith('-'));
        expect(words(parseOptions(args.map(certain)))).toEqual(given);
      }),
    );
  });

  test('are shown so that one reads where each begins and ends', () => {
    expect(showCommand(['git', 'commit', '-m', "it's done", ''].map(certain))).toBe(
      `git commit -m 'it'\\''s done' ''`,
    );
  });
});

describe('where find looks', () => {
  test.each([
    ['', '.'],
    ['-name x', '.'],
    ['-L', '.'],
    ['! -name x', '.'],
    ['-L a -name b', 'a'],
    ['a b ( -name c )', 'a b'],
    ['a', 'a'],
  ])('in %j is %s', (line, places) => {
    const found = placesOfFind(line.split(' ').filter(Boolean).map(certain));
    expect(found.map(({ text }) => text).join(' ')).toBe(places);
  });
});
