import { existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import { listLosses, releaseCheckout } from '../../../runner/guard/release.ts';
import {
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  write,
} from './repositories.ts';

describe('releaseCheckout', () => {
  test('removes a checkout whose work is in the person’s repository, and keeps the branch', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    const head = commitInCheckout(checkout, 'a', 'a');
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
    expect(existsSync(checkout.top)).toBe(false);
    expect(existsSync(checkout.view)).toBe(false);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
    expect(gitIn(source, 'for-each-ref', 'refs/pilothouse')).toBe('');
    expect(gitIn(source, 'fsck', '--no-dangling')).toBe('');
  });

  test('removes one in which nothing was done, and can be asked twice', async () => {
    const checkout = await ownCheckout(aRepository());
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
  });

  test('keeps uncommitted work, and says so', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    write(checkout.top, 'precious', 'x');
    const release = await releaseCheckout(checkout, false);
    expect(release).toEqual({
      removed: false,
      losses: ['1 changed file is in no commit.'],
    });
    expect(existsSync(checkout.top)).toBe(true);
    expect(gitIn(source, 'for-each-ref', 'refs/pilothouse/keep')).not.toBe('');
  });

  test('keeps a stash', async () => {
    const checkout = await ownCheckout(aRepository());
    write(checkout.top, 'readme.md', 'changed\n');
    gitIn(checkout.top, 'stash');
    expect(await releaseCheckout(checkout, false)).toMatchObject({
      removed: false,
      losses: ['There is a stash.'],
    });
  });

  test('keeps commits that the person’s branch could not take', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    await bringBack(checkout, null);
    gitIn(source, 'checkout', '--quiet', checkout.branch);
    commit(source, 'theirs', 'theirs');
    gitIn(source, 'checkout', '--quiet', 'main');
    commitInCheckout(checkout, 'b', 'b');
    expect(await releaseCheckout(checkout, false)).toMatchObject({
      removed: false,
      losses: ['1 commit is in no branch of the repository.'],
    });
    gitIn(source, 'merge', '--quiet', 'refs/pilothouse/brought/ses_one');
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
  });

  test('keeps commits that only a tag holds', async () => {
    const checkout = await ownCheckout(aRepository());
    commitInCheckout(checkout, 'a', 'a');
    gitIn(checkout.top, 'tag', 'only-here');
    gitIn(checkout.top, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect(await releaseCheckout(checkout, false)).toMatchObject({ removed: false });
  });

  test('brings back other branches before it removes their only copy', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    gitIn(checkout.top, 'checkout', '--quiet', '-b', 'side');
    const head = commitInCheckout(checkout, 'a', 'a');
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
    expect(gitIn(source, 'rev-parse', `${checkout.branch}--side`)).toBe(head);
  });

  test('names everything that would be lost, and gives it up only when it is to be discarded', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'a', 'a');
    const detached = commitInCheckout(checkout, 'b', 'b');
    gitIn(checkout.top, 'reset', '--quiet', '--hard', 'HEAD~1');
    gitIn(checkout.top, 'tag', 'only-here', detached);
    write(checkout.top, 'one', '1');
    write(checkout.top, 'two', '2');
    const losses = [
      '2 changed files are in no commit.',
      '1 commit is in no branch of the repository.',
    ];
    expect(await listLosses(checkout)).toEqual(losses);
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: false, losses });
    expect(await releaseCheckout(checkout, true)).toEqual({ removed: true });
    expect(existsSync(checkout.top)).toBe(false);
    // What could be brought back was.
    expect(gitIn(source, 'log', '-1', '--format=%s', checkout.branch)).toBe('Change a');
  });

  test('says of one whose repository is gone that it cannot be told, and can discard it', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    rmSync(source, { recursive: true });
    expect(await listLosses(checkout)).toEqual([
      expect.stringContaining('What is in it cannot be told'),
    ]);
    expect(await releaseCheckout(checkout, false)).toMatchObject({ removed: false });
    expect(await releaseCheckout(checkout, true)).toEqual({ removed: true });
    expect(existsSync(checkout.top)).toBe(false);
  });
});
