import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checksumsOf, findMisnumbered, findRewritten, readHistory } from './migrations.ts';
import { listFiles, readSources } from './source-files.ts';

const RECORD = 'migrations/checksums.json';
const files = readSources(listFiles().filter((path) => /^migrations\/[^/]+\.sql$/.test(path)));
const now = checksumsOf(files);
const recorded: Record<string, string> = JSON.parse(readFileSync(RECORD, 'utf8'));

describe('migrations', () => {
  it('are all recorded by checksum', () => {
    console.log(`migrations: examined ${files.length} against ${RECORD}`);
    expect(files.length).toBeGreaterThan(0);
    const missing = Object.entries(now).filter(([path]) => !(path in recorded));
    expect(Object.fromEntries(missing), `add this to ${RECORD}`).toEqual({});
  });

  it('stay as they were recorded', () => {
    expect(findRewritten(recorded, now)).toEqual([]);
  });

  it('stay as they were first committed', () => {
    const history = readHistory();
    console.log(
      `migrations: examined ${history.commits} commits, ${Object.keys(history.first).length} files`,
    );
    expect(history.commits).toBeGreaterThan(0);
    expect(findRewritten(history.first, now)).toEqual([]);
  });

  it('are numbered without gaps or twins', () => {
    expect(findMisnumbered(Object.keys(now))).toEqual([]);
  });
});

describe('a migration', () => {
  const before = checksumsOf([{ path: 'migrations/0000_a.sql', text: 'CREATE TABLE a (x);' }]);

  it('that is changed is found', () => {
    const after = checksumsOf([{ path: 'migrations/0000_a.sql', text: 'CREATE TABLE a (y);' }]);
    expect(findRewritten(before, after)).toEqual(['migrations/0000_a.sql']);
  });
  it('that is removed is found', () => {
    expect(findRewritten(before, {})).toEqual(['migrations/0000_a.sql']);
  });
  it('that is added is welcome', () => {
    const added = checksumsOf([{ path: 'migrations/0001_b.sql', text: 'CREATE TABLE b (x);' }]);
    expect(findRewritten(before, { ...before, ...added })).toEqual([]);
  });
  it('that shares its number with another is found', () => {
    expect(findMisnumbered(['migrations/0000_a.sql', 'migrations/0000_b.sql'])).toEqual([
      '0000_b.sql',
    ]);
  });
  it('that leaves a number out is found', () => {
    expect(findMisnumbered(['migrations/0000_a.sql', 'migrations/0002_b.sql'])).toEqual([
      '0002_b.sql',
    ]);
  });
});

describe('the history of a repository', () => {
  const top = mkdtempSync(join(tmpdir(), 'pilothouse-history-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: top,
    });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it('gives a migration as it first was, whatever it became', () => {
    const path = 'migrations/0000_a.sql';
    mkdirSync(join(top, 'migrations'));
    git('init', '-q');
    for (const text of ['CREATE TABLE a (x);', 'CREATE TABLE a (y);']) {
      writeFileSync(join(top, path), text);
      git('add', '.');
      git('commit', '-qm', text);
    }
    const history = readHistory(top);
    expect(history.commits).toBe(2);
    expect(history.first).toEqual(checksumsOf([{ path, text: 'CREATE TABLE a (x);' }]));
  });
});
