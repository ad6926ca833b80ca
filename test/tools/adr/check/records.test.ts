import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { adrReport } from '../../../../protocol/adr-report.ts';
import { runCheck } from '../../../../tools/adr/check/run-check.ts';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  problemsOf,
  recordText,
} from '../../../support/decision-repository.ts';

let repository: Repository | null = null;
afterEach(() => {
  repository?.dispose();
  repository = null;
});

const problems = async (files: Record<string, string>): Promise<string[]> => {
  repository = makeRepository(files);
  return problemsOf(await repository.check());
};

describe('records beside each other', () => {
  it('are numbered without a gap', async () => {
    const found = await problems({
      [RECORD_PATH]: recordText(),
      'docs/adr/0003-c.md': recordText({ number: 3 }),
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/no record 0002 before 0003/);
  });

  it('may have gaps where numbers are given out beforehand', async () => {
    const found = await problems({
      '.adr.json': '{ "numbering": "unique" }',
      [RECORD_PATH]: recordText(),
      'docs/adr/0003-c.md': recordText({ number: 3 }),
    });
    expect(found).toEqual([]);
  });

  it('never share a number', async () => {
    const found = await problems({
      [RECORD_PATH]: recordText(),
      'docs/adr/0001-b.md': recordText(),
    });
    expect(found[0]).toMatch(/have the same number/);
  });

  it('supersede each other on both sides', async () => {
    const superseded = { status: 'superseded', front: 'superseded-by: "0002"' };
    const found = await problems({
      [RECORD_PATH]: recordText(superseded),
      'docs/adr/0002-b.md': recordText({ number: 2, front: 'supersedes: "0001"' }),
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['the older does not know', {}, { front: 'supersedes: "0001"' }, /Say `superseded-by: 0002`/],
    [
      'the newer does not know',
      { status: 'superseded', front: 'superseded-by: 2' },
      {},
      /Say `supersedes: 0001`/,
    ],
    [
      'the older is still in force',
      { front: 'superseded-by: 2' },
      { front: 'supersedes: 1' },
      /Set it to superseded/,
    ],
    ['nobody took the place', { status: 'superseded' }, {}, /does not say by which record/],
    [
      'it is not there',
      { status: 'superseded by ADR-0009' },
      {},
      /0009, and there is no such record/,
    ],
  ])('are told apart when %s', async (_, first, second, words) => {
    const found = await problems({
      [RECORD_PATH]: recordText(first),
      'docs/adr/0002-b.md': recordText({ number: 2, ...second }),
    });
    expect(found.join('\n')).toMatch(words);
  });

  it('link to files that are there', async () => {
    const body =
      'See [a](../guide.md#top), [b](https://example.com), [c](0002-gone.md), [d](/README.md) and [e](#x).';
    const found = await problems({
      [RECORD_PATH]: recordText({ body }),
      'docs/guide.md': '# Guide\n',
      'README.md': '# It\n',
    });
    expect(found).toEqual([
      'The link 0002-gone.md leads to no file (docs/adr/0002-gone.md). Correct it.',
    ]);
  });
});

describe('what cannot be looked at', () => {
  it('is a directory without git', async () => {
    const top = mkdtempSync(join(tmpdir(), 'pilothouse-adr-no-git-'));
    try {
      mkdirSync(join(top, 'docs', 'adr'), { recursive: true });
      writeFileSync(join(top, RECORD_PATH), recordText());
      const report = await runCheck({ directory: top });
      expect(report.exitCode).toBe(2);
      expect(problemsOf(report)[0]).toMatch(/needs a git repository/);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  });

  it('is a repository without records, and the sentence says how to begin', async () => {
    const found = await problems({ 'docs/adr/README.md': '# Decisions\n' });
    expect(found[0]).toMatch(/no decision record in docs\/adr.*adr new/s);
    expect(await problems({ 'a.txt': '' })).toEqual([expect.stringMatching(/adr init/)]);
  });

  it('is a configuration that nobody understands', async () => {
    const found = await problems({ '.adr.json': '{ "dir": "x" }', [RECORD_PATH]: recordText() });
    expect(found[0]).toMatch(/unknown key `dir`/);
  });

  it('is a directory that is not there', async () => {
    const report = await runCheck({ directory: join(tmpdir(), 'pilothouse-not-there') });
    expect(report.exitCode).toBe(2);
  });

  it('is a record whose front matter is broken: its rules are not known', async () => {
    repository = makeRepository({ [RECORD_PATH]: '---\nstatus: [\n---\n\n# 1. A\n' });
    const report = await repository.check();
    expect(report.exitCode).toBe(2);
    expect(problemsOf(report)[0]).toMatch(/front matter cannot be read/);
  });

  it('is a base that git does not know', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordText() });
    const report = await repository.check({ base: 'origin/main' });
    expect(report.exitCode).toBe(2);
    expect(problemsOf(report)[0]).toMatch(/origin\/main cannot be compared with HEAD/);
    expect((await repository.check({ base: '--output=x' })).exitCode).toBe(2);
  });
});

describe('a report', () => {
  it('has the agreed shape', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordText() });
    const report = await repository.check({ nowMs: 1_000 });
    expect(adrReport.parse(report)).toEqual(report);
    expect(report).toMatchObject({ mode: 'full', base: null, startedAt: 1_000 });
  });

  it.each(['docs/adr', 'docs/decisions', 'doc/adr', 'adr'])(
    'is made of records in %s',
    async (at) => {
      repository = makeRepository({ [`${at}/0001-a.md`]: recordText() });
      expect((await repository.check()).records).toHaveLength(1);
    },
  );

  it('is made of records where the configuration says', async () => {
    repository = makeRepository({
      '.adr.yaml': 'directory: notes/decided\n',
      'notes/decided/0001-a.md': recordText(),
    });
    expect((await repository.check()).records[0]?.path).toBe('notes/decided/0001-a.md');
  });
});
