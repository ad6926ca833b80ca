import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { claimOf, decideRival } from '../../../runner/sessions/rivals.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-rivals-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const [ONE, OTHER] = [sessionId.parse('ses_one'), sessionId.parse('ses_other')];
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' });
function makeRepository(name: string): string {
  const top = join(root, name);
  git('init', '-q', top);
  git('-C', top, 'commit', '-q', '--allow-empty', '-m', 'first');
  for (const part of ['a', 'b']) mkdirSync(join(top, part));
  return top;
}
const inPlace = (id: typeof ONE, directory: string, conversation: string | null = null) =>
  claimOf(id, { checkout: 'inPlace', directory }, conversation);
const between = (one: string, other: string) =>
  decideRival(inPlace(ONE, one), [inPlace(OTHER, other)]);

describe('two sessions in place', () => {
  test('in two directories of one working tree share its index: the second is refused', () => {
    const top = makeRepository('r');
    expect(between(join(top, 'a'), join(top, 'b'))).toMatchObject({ code: 'directory_busy' });
  });

  test('are refused as well when one comes by a link', () => {
    const top = makeRepository('r');
    symlinkSync(join(top, 'b'), join(root, 'link'));
    expect(between(join(top, 'a'), join(root, 'link'))).toMatchObject({ code: 'directory_busy' });
  });

  test('in two working trees of one repository share objects alone: both run', () => {
    const top = makeRepository('r');
    git('-C', top, 'worktree', 'add', '-q', join(root, 'tree'));
    expect(between(top, join(root, 'tree'))).toBeNull();
  });

  test('in two repositories of one directory, itself in none, both run', () => {
    expect(between(makeRepository('r'), makeRepository('s'))).toBeNull();
  });

  test('in a repository and in another one inside of it are refused: one tree holds both', () => {
    const top = makeRepository('r');
    expect(between(top, makeRepository('r/a/inner'))).toMatchObject({ code: 'directory_busy' });
  });
});

test('a session is no rival of itself, and one with a checkout of its own holds no place', () => {
  const top = makeRepository('r');
  expect(decideRival(inPlace(ONE, top), [inPlace(ONE, top)])).toBeNull();
  const own = claimOf(OTHER, { checkout: 'own', directory: top }, null);
  expect(decideRival(inPlace(ONE, top), [own])).toBeNull();
});

test('a conversation has one holder, wherever it works', () => {
  const [one, other] = [makeRepository('r'), makeRepository('s')];
  const held = [inPlace(OTHER, other, 'theirs')];
  expect(decideRival(inPlace(ONE, one, 'theirs'), held)).toMatchObject({ code: 'conflict' });
  expect(decideRival(inPlace(ONE, one, 'mine'), held)).toBeNull();
});
