import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
} from './repositories.ts';

describe('the origin of the checkout', () => {
  function withUpstream(): { source: string; remote: string } {
    const remote = aDirectory();
    gitIn(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
    const source = aRepository();
    gitIn(source, 'remote', 'add', 'upstream', remote);
    gitIn(source, 'push', '--quiet', '-u', 'upstream', 'main');
    return { source, remote };
  }

  test('is the person’s upstream, to push to and to compare with', async () => {
    const { source, remote } = withUpstream();
    const checkout = await ownCheckout(source);
    expect(gitIn(checkout.top, 'remote', 'get-url', '--push', 'origin')).toBe(remote);
    expect(gitIn(checkout.top, 'rev-parse', 'origin/main')).toBe(
      gitIn(source, 'rev-parse', 'upstream/main'),
    );
    const head = commitInCheckout(checkout, 'a', 'a');
    gitIn(checkout.top, 'push', '--quiet', 'origin', 'HEAD:refs/heads/feature');
    expect(gitIn(remote, 'rev-parse', 'feature')).toBe(head);
  });

  test('is known as far as the person had fetched, even where that is ahead of the base', async () => {
    const { source, remote } = withUpstream();
    const other = join(aDirectory(), 'clone');
    gitIn(aDirectory(), 'clone', '--quiet', remote, other);
    gitIn(other, 'config', 'user.email', 'b@c');
    gitIn(other, 'config', 'user.name', 'B');
    const ahead = commit(other, 'theirs', 'theirs');
    gitIn(other, 'push', '--quiet');
    gitIn(source, 'fetch', '--quiet', 'upstream');
    const checkout = await ownCheckout(source);
    gitIn(source, 'update-ref', '-d', 'refs/remotes/upstream/main');
    gitIn(source, 'gc', '--quiet', '--prune=now');
    expect(gitIn(checkout.top, 'rev-parse', 'origin/main')).toBe(ahead);
    expect(gitIn(checkout.top, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
  });

  test('is absent when the person has none, and is never their repository', async () => {
    const checkout = await ownCheckout(aRepository());
    expect(gitIn(checkout.top, 'remote')).toBe('');
  });

  test('leads to the same place when the person wrote it as a relative path', async () => {
    const source = aRepository();
    gitIn(source, 'remote', 'add', 'origin', '../elsewhere.git');
    const checkout = await ownCheckout(source);
    expect(gitIn(checkout.top, 'remote', 'get-url', 'origin')).toBe(
      join(source, '..', 'elsewhere.git'),
    );
  });
});
