import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { releaseCheckout } from '../../../runner/guard/release.ts';
import {
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

describe('releaseCheckout', () => {
  test('removes a checkout whose work is in the person’s repository, and keeps the branch', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    const head = commitInCheckout(checkout, 'a', 'a');
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
    expect(existsSync(checkout.top)).toBe(false);
    expect(existsSync(checkout.view)).toBe(false);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
    expect(gitIn(source, 'for-each-ref', 'refs/pilothouse')).toBe('');
    expect(gitIn(source, 'fsck', '--no-dangling')).toBe('');
  });

  test('removes one in which nothing was done, and can be asked twice', async () => {
    const checkout = await ownCheckout(aRepository());
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
  });

  test('keeps uncommitted work, and says so', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    write(checkout.top, 'precious', 'x');
    const release = await releaseCheckout(checkout);
    expect(release).toEqual({
      removed: false,
      reason: `1 changed files are in no commit. The checkout stays at ${checkout.top}.`,
    });
    expect(existsSync(checkout.top)).toBe(true);
    expect(gitIn(source, 'for-each-ref', 'refs/pilothouse/keep')).not.toBe('');
  });

  test('keeps a stash', async () => {
    const checkout = await ownCheckout(aRepository());
    write(checkout.top, 'readme.md', 'changed\n');
    gitIn(checkout.top, 'stash');
    expect(await releaseCheckout(checkout)).toMatchObject({
      removed: false,
      reason: expect.stringContaining('stash'),
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
    expect(await releaseCheckout(checkout)).toMatchObject({
      removed: false,
      reason: expect.stringContaining('1 commits'),
    });
    gitIn(source, 'merge', '--quiet', 'refs/pilothouse/brought/ses_one');
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
  });

  test('keeps commits that only a tag holds', async () => {
    const checkout = await ownCheckout(aRepository());
    commitInCheckout(checkout, 'a', 'a');
    gitIn(checkout.top, 'tag', 'only-here');
    gitIn(checkout.top, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect(await releaseCheckout(checkout)).toMatchObject({ removed: false });
  });

  test('brings back other branches before it removes their only copy', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    gitIn(checkout.top, 'checkout', '--quiet', '-b', 'side');
    const head = commitInCheckout(checkout, 'a', 'a');
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
    expect(gitIn(source, 'rev-parse', `${checkout.branch}--side`)).toBe(head);
  });

  test('leaves a directory in place alone', async () => {
    const source = aRepository();
    const checkout = await prepareCheckout(requestFor(source, { spec: { checkout: 'inPlace' } }));
    expect(await releaseCheckout(checkout)).toEqual({ removed: true });
    expect(existsSync(source)).toBe(true);
  });
});
