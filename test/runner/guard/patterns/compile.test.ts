import { describe, expect, test } from 'vitest';
import { compilePattern, patternFault } from '../../../../runner/guard/patterns/compile.ts';
import { PATTERN_MAX_CHARS } from '../../../../runner/guard/patterns/expression.ts';

describe('patternFault', () => {
  test.each([
    'ghp_[A-Za-z0-9]{36}',
    '(?:AKIA|ASIA)[0-9A-Z]{16}',
    'xox[baprs]-[\\w-]{10,80}',
    'eyJ[\\w-]{10,150}\\.[\\w-]{10,150}\\.[\\w-]{10,150}',
    'password: "[^"\\n]{8,60}"',
    'postgres://(\\w{1,20}):[^@\\s]{6,40}@',
  ])('has nothing against %s', (source) => {
    expect(patternFault(source)).toBeNull();
  });

  test.each([
    ['ghp_(', /no regular expression: Unterminated group/],
    ['ghp_[a-z]+', /no upper limit of 512 or less in "\[a-z\]\+": say how long/],
    ['ghp_[a-z]{8,}', /no upper limit/],
    ['ghp_[a-z]{600}', /no upper limit/],
    ['ghp_(?:[a-z]{30}){30}', /matches up to 904 characters: 512 is the most/],
    ['ghp_[a-z]{1,40}', /matches 5 characters: what is shorter than 8/],
    ['^ghp_[a-z]{36}', /cannot hold "\^": leave it out/],
    ['ghp_(?=x)[a-z]{36}', /cannot hold "\(\?=x\)"/],
    ['(ghp_)\\1[a-z]{36}', /cannot hold "\\\\1": write out/],
    ['(?i:ghp_)[a-z]{36}', /write both letters/],
    ['clé-[a-z]{36}', /no ASCII character with "é"/],
    ['[a-z]{8,40}', /matches a part of "approval.*begin it with/],
    ['[0-9a-f]{40}', /matches a part of "9f86/],
    ['ses_[0-9a-f]{20}', /matches a part of "ses_/],
    ['x[ab]{1,200}a[ab]{200}', /too many ways: begin it with/],
  ])('says why %s cannot be looked for', (source, why) => {
    expect(patternFault(source)).toMatch(why);
  });
});

test('the longest that a match can stand in text follows from the pattern', () => {
  expect(compilePattern('ghp_[A-Za-z0-9]{36}').longest).toBe(3 * 40);
  expect(compilePattern('key="[a-z]{8}"').longest).toBe(3 * 12 + 4 * 2);
  expect(compilePattern(`sk-[a-z]{9,${PATTERN_MAX_CHARS - 3}}`).longest).toBe(3 * 512);
});
