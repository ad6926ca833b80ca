import { describe, expect, test } from 'vitest';
import { SESSION, aRepository, commit, gitIn, ownCheckout } from './repositories.ts';

describe('the base', () => {
  test('can be a branch, a tag, a remote branch or a commit', async () => {
    const source = aRepository();
    const first = gitIn(source, 'rev-parse', 'HEAD');
    gitIn(source, 'branch', 'old');
    gitIn(source, 'tag', '-a', 'v1', '-m', 'v1');
    gitIn(source, 'update-ref', 'refs/remotes/origin/theirs', first);
    commit(source, 'later', 'later');
    for (const [index, baseRef] of [
      'old',
      'v1',
      'origin/theirs',
      first,
      first.slice(0, 10),
    ].entries()) {
      const session = SESSION.replace('one', `base${index}`) as typeof SESSION;
      expect(
        (await ownCheckout(source, { sessionId: session, spec: { baseRef } })).baseCommit,
      ).toBe(first);
    }
  });

  test.each(['nowhere', '--upload-pack=touch x', 'HEAD~1; id', 'main:readme.md', '@{-1}'])(
    'is refused when it is %j',
    async (baseRef) => {
      await expect(ownCheckout(aRepository(), { spec: { baseRef } })).rejects.toMatchObject({
        code: 'base_not_found',
      });
    },
  );

  test('can be a branch that is named like an option', async () => {
    const source = aRepository();
    const head = gitIn(source, 'rev-parse', 'HEAD');
    gitIn(source, 'update-ref', 'refs/heads/--upload-pack=touch', head);
    commit(source, 'later', 'later');
    expect(
      (await ownCheckout(source, { spec: { baseRef: '--upload-pack=touch' } })).baseCommit,
    ).toBe(head);
  });
});
