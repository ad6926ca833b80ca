import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isFetching,
  isMaking,
  isPushing,
  readEnd,
  readLogs,
  type LogEntry,
} from '../../../runner/witness/reflog.ts';
import { aDirectory, aRepository, commit, gitIn, write } from '../guard/repositories.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const line = (after: string, at: number, message: string) =>
  `${ZERO} ${after} Ada <ada@example.com> ${at} +0100\t${message}\n`;
const entry = (message: string, ref = 'refs/heads/main'): LogEntry => ({
  ref,
  after: A,
  at: 1,
  message,
});

describe('the reflogs of a repository', () => {
  it('say where each ref went, when and why, as git wrote it', async () => {
    const repository = aRepository();
    gitIn(repository, 'checkout', '--quiet', '-b', 'team/fix');
    const tip = commit(repository, 'a.md', 'a\n');
    const logs = await readLogs([join(repository, '.git', 'logs')]);
    const made = logs.filter(({ after, message }) => after === tip && message.startsWith('commit'));
    expect(made.map(({ ref }) => ref)).toEqual(['HEAD', 'refs/heads/team/fix']);
    expect(made[0]?.at).toBeCloseTo(Date.now() / 1000, -3);
    expect(made[0]?.message).toBe('commit: Change a.md');
  });

  it('of several directories are read in their order, and a missing one says nothing', async () => {
    const [first, second] = [aDirectory(), aDirectory()];
    write(first, 'HEAD', line(A, 5, 'one'));
    write(second, 'refs/heads/x', line(A, 6, 'two'));
    const logs = await readLogs([first, join(first, 'missing'), second]);
    expect(logs.map(({ ref, at }) => [ref, at])).toEqual([
      ['HEAD', 5],
      ['refs/heads/x', 6],
    ]);
  });

  it('pass over lines that are none', async () => {
    const logs = aDirectory();
    write(logs, 'HEAD', `nonsense\n${line('short', 5, 'x')}${line(A, 7, 'kept')}${ZERO} half`);
    expect(await readLogs([logs])).toEqual([{ ref: 'HEAD', after: A, at: 7, message: 'kept' }]);
  });

  it('may have no message', async () => {
    const logs = aDirectory();
    write(logs, 'HEAD', `${ZERO} ${A} Ada <a@b.c> 9 -0500\n`);
    expect(await readLogs([logs])).toEqual([{ ref: 'HEAD', after: A, at: 9, message: '' }]);
  });

  it('lead nowhere through links, and wait at no pipe', async () => {
    const [logs, secret] = [aDirectory(), aDirectory()];
    write(secret, 'log', line(A, 5, 'elsewhere'));
    write(logs, 'refs/heads/own', line(A, 6, 'own'));
    symlinkSync(join(secret, 'log'), join(logs, 'HEAD'));
    symlinkSync(join(secret, 'log'), join(logs, 'refs/heads/link'));
    symlinkSync(secret, join(logs, 'refs/tags'));
    execFileSync('/bin/sh', ['-c', 'mkfifo refs/heads/pipe'], { cwd: logs });
    expect((await readLogs([logs])).map(({ ref }) => ref)).toEqual(['refs/heads/own']);
    expect(readEnd(join(logs, 'refs/heads/pipe'))).toBe('');
    expect(readEnd(logs)).toBe('');
  });

  it('are read from their end, however long they are', async () => {
    const logs = aDirectory();
    write(logs, 'HEAD', line(A, 1, 'first'));
    appendFileSync(join(logs, 'HEAD'), 'x'.repeat(300 * 1024));
    appendFileSync(join(logs, 'HEAD'), `\n${line(A, 2, 'last')}`);
    expect((await readLogs([logs])).map(({ message }) => message)).toEqual(['last']);
    expect(readEnd(join(logs, 'HEAD'))).toHaveLength(256 * 1024);
    rmSync(join(logs, 'HEAD'));
    expect(readEnd(join(logs, 'HEAD'))).toBe('');
  });
});

describe('the words of a reflog', () => {
  it.each([
    ['commit: Fix it', true],
    ['commit (amend): Fix it', true],
    ['commit (initial): Begin', true],
    ['cherry-pick: Fix it', true],
    ['revert: Revert "x"', true],
    ['rebase (finish): refs/heads/x onto y', true],
    ['am: Fix it', true],
    ['merge dev: Merge made by the ‘ort’ strategy.', true],
    ['pull: Merge made by the ‘ort’ strategy.', true],
    ['pull --rebase (finish): refs/heads/x onto y', true],
    ['merge dev: Fast-forward', false],
    ['pull: Fast-forward', false],
    ['amnesia', false],
    ['checkout: moving from a to b', false],
    ['reset: moving to HEAD~1', false],
    ['clone: from somewhere', false],
    ['branch: Created from HEAD', false],
  ])('%s made a commit here: %s', (message, made) => {
    expect(isMaking(entry(message))).toBe(made);
  });

  it('tell what was pushed there from what was fetched, of remote branches only', () => {
    const far = 'refs/remotes/origin/main';
    const of = (one: LogEntry) => [isPushing(one), isFetching(one)];
    expect(of(entry('update by push', far))).toEqual([true, false]);
    expect(of(entry('fetch: fast-forward', far))).toEqual([false, true]);
    expect(of(entry('update by push'))).toEqual([false, false]);
  });
});
