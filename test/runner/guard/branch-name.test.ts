import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { besideName, slugOf } from '../../../runner/guard/branch-name.ts';

describe('slugOf', () => {
  test.each([
    ['Fix the test', 'fix-the-test'],
    ['  Größe für Café № 5!  ', 'gro-e-fur-cafe-no-5'],
    ['--upload-pack=x', 'upload-pack-x'],
    ['../../etc', 'etc'],
    ['日本語', 'session'],
    ['', 'session'],
  ])('makes %j into %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test('cuts at a word', () => {
    expect(slugOf('Make the checkout page load faster on slow phones')).toBe(
      'make-the-checkout-page-load-faster-on',
    );
    expect(slugOf('x'.repeat(100))).toBe('x'.repeat(40));
  });
});

describe('names of branches', () => {
  test('are names that git accepts, whatever they are made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, other) => {
        const session = `pilothouse/${slugOf(title)}`;
        for (const name of [session, besideName(session, other)]) {
          execFileSync('git', ['check-ref-format', `refs/heads/${name}`]);
          expect(name).toMatch(/^pilothouse\/[a-z0-9]/);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each(['a.lock', 'a.', '.a', 'a..b', 'a.lock.lock', '-', '@', 'x.lock-'])(
    'are accepted although they come from %j',
    (other) => {
      const ref = `refs/heads/${besideName('pilothouse/x', other)}`;
      expect(
        execFileSync('git', ['check-ref-format', '--normalize', ref], { encoding: 'utf8' }),
      ).toBe(`${ref}\n`);
    },
  );
});
