import { describe, expect, test } from 'vitest';
import { keepRef } from '../../../runner/guard/checkout.ts';
import { SESSION, aRepository, commit, gitIn, ownCheckout, write } from './repositories.ts';

/** Forgets everything that no ref holds, at once instead of after two weeks. */
function prune(source: string): void {
  gitIn(source, 'reflog', 'expire', '--expire=now', '--all');
  gitIn(source, 'gc', '--quiet', '--prune=now');
}

function deleteMain(source: string): void {
  gitIn(source, 'checkout', '--quiet', 'unrelated');
  gitIn(source, 'branch', '-D', 'main');
}

function sourceWithHistory(): string {
  const source = aRepository();
  commit(source, 'lost.txt', 'only main has this\n');
  gitIn(source, 'checkout', '--quiet', '--orphan', 'unrelated');
  gitIn(source, 'rm', '-rfq', '.');
  commit(source, 'other', 'other');
  gitIn(source, 'checkout', '--quiet', 'main');
  return source;
}

describe('the keep ref', () => {
  test('holds the borrowed objects when the person rewrites their history and prunes', async () => {
    const source = sourceWithHistory();
    const checkout = await ownCheckout(source);
    deleteMain(source);
    prune(source);
    expect(gitIn(checkout.top, 'fsck', '--no-dangling')).toBe('');
    expect(gitIn(checkout.top, 'show', 'HEAD:lost.txt')).toBe('only main has this');
  });

  test('is what holds them: without it the checkout breaks', async () => {
    const source = sourceWithHistory();
    const checkout = await ownCheckout(source);
    gitIn(source, 'update-ref', '-d', keepRef(SESSION));
    gitIn(source, 'update-ref', '-d', 'refs/pilothouse/names/fix-the-test');
    deleteMain(source);
    prune(source);
    expect(() => gitIn(checkout.top, 'show', 'HEAD:lost.txt')).toThrow('HEAD');
  });

  test('holds the uncommitted changes that the session began from', async () => {
    const source = sourceWithHistory();
    write(source, 'new.txt', 'not committed\n');
    const checkout = await ownCheckout(source, { spec: { fromUncommitted: true } });
    prune(source);
    expect(gitIn(source, 'show', `${checkout.keptCommit}:new.txt`)).toBe('not committed');
  });
});
