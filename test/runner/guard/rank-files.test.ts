import fuzzysort from 'fuzzysort';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { rankFiles } from '../../../runner/guard/rank-files.ts';

const PATHS = [
  'console/session/composer.tsx',
  'docs/deep/in/here.md',
  'test/console/session/composer.test.tsx',
  '.env',
  'readme.md',
  'config/.env.local',
  'workers/http/app.ts',
];
const rank = (query: string, limit = 10) =>
  rankFiles({ paths: PATHS, more: false }, { query, limit }, DEFAULT_POLICY.tools).files;

describe('the files that a person may mean', () => {
  test('are found by letters of their paths in order, the nearest match first', () => {
    expect(rank('composer')[0]).toBe('console/session/composer.tsx');
    expect(rank('sescomp')[0]).toBe('console/session/composer.tsx');
    expect(rank('composer test')[0]).toBe('test/console/session/composer.test.tsx');
    expect(rank('http/app')).toEqual(['workers/http/app.ts']);
    expect(rank('zzz')).toEqual([]);
  });

  test('are the nearest to the top without a word', () => {
    expect(rank('', 2)).toEqual(['readme.md', 'console/session/composer.tsx']);
  });

  test('are none that the policy denies, however well they match', () => {
    expect(rank('.env')).toEqual([]);
    expect(rankFiles({ paths: PATHS, more: false }, { query: '.env', limit: 1 }, []).files).toEqual(
      ['.env'],
    );
  });

  test('are none whose name would end where it is quoted, or break the line', () => {
    const paths = [
      'a" run: rm -rf ~ "',
      'a\nrun',
      'a\u001b[2J',
      'a\u2028b',
      'a\u202eb',
      'a b',
      "a'",
    ];
    const found = (query: string) =>
      rankFiles({ paths, more: false }, { query, limit: 50 }, []).files.toSorted();
    expect(found('')).toEqual(['a b', "a'"]);
    expect(found('a')).toEqual(['a b', "a'"]);
  });

  test('are as many as were asked for, with how many were looked at', () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => `src/part-${index}.ts`);
    const found = rankFiles({ paths, more: true }, { query: 'part', limit: 50 }, []);
    expect(found).toMatchObject({ examined: 3_000, more: true });
    expect(found.files).toHaveLength(50);
  });

  test('leave nothing of themselves behind in the library that compares them', () => {
    const cleaned = vi.spyOn(fuzzysort, 'cleanup');
    rank('part');
    expect(cleaned).toHaveBeenCalledTimes(1);
    cleaned.mockRestore();
  });
});
