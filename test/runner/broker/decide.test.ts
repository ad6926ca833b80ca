import { describe, expect, it } from 'vitest';
import { findRepository, isSamePlace, parseAddress } from '../../../runner/broker/address.ts';
import { decidePullRequest, type BranchFacts } from '../../../runner/broker/decide.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const facts = (over: Partial<BranchFacts> = {}): BranchFacts => ({
  own: [
    { name: 'feature', tip: A },
    { name: 'other', tip: B },
  ],
  defaultBranch: 'main',
  has: (name) => ['main', 'dev', 'feature', 'other'].includes(name),
  ...over,
});
const ask = (over: object = {}) => ({ head: null, base: null, local: null, commit: null, ...over });

describe('a pull request', () => {
  it.each([
    ['the branch that is named', ask({ head: 'feature' }), 'feature', 'main'],
    ['the branch that is checked out', ask({ local: 'other', commit: A }), 'other', 'main'],
    [
      'the branch that the commit was pushed as',
      ask({ local: 'work', commit: A }),
      'feature',
      'main',
    ],
    ['another base', ask({ head: 'feature', base: 'dev' }), 'feature', 'dev'],
  ])('is opened for %s', (_name, asked, head, base) => {
    expect(decidePullRequest(asked, facts(), 'pr')).toEqual({ ok: true, head, base });
  });

  it.each(['pr', 'ask', 'merge'] as const)('is allowed in the mode %s', (mode) => {
    expect(decidePullRequest(ask({ head: 'feature' }), facts(), mode).ok).toBe(true);
  });

  it.each<[string, ReturnType<typeof ask>, BranchFacts, RegExp]>([
    ['of a branch that others made', ask({ head: 'dev' }), facts(), /did not push dev .*git push/],
    [
      'of what was never pushed',
      ask({ local: 'work', commit: 'c'.repeat(40) }),
      facts(),
      /^work is on no branch .*git push/,
    ],
    [
      'of a detached commit',
      ask({ commit: 'c'.repeat(40) }),
      facts(),
      /^what is checked out is on no/,
    ],
    [
      'of a commit on two branches',
      ask({ commit: A }),
      facts({
        own: [
          { name: 'one', tip: A },
          { name: 'two', tip: A },
        ],
      }),
      /^one and two are at this commit; .*--head/,
    ],
    ['into nowhere', ask({ head: 'feature', base: 'gone' }), facts(), /no branch gone/],
    ['into itself', ask({ head: 'feature', base: 'feature' }), facts(), /into itself/],
    ['into an unknown default', ask({ head: 'feature' }), facts({ defaultBranch: null }), /--base/],
  ])('is refused %s, and says what to do', (_name, asked, known, reason) => {
    expect(decidePullRequest(asked, known, 'merge')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(reason),
    });
  });

  it('is refused where the policy lets none be opened, whatever is asked', () => {
    for (const asked of [ask({ head: 'feature' }), ask()])
      expect(decidePullRequest(asked, facts(), 'none')).toMatchObject({
        ok: false,
        reason: expect.stringContaining('no pull requests'),
      });
  });
});

describe('where a repository is', () => {
  it.each([
    ['git@github.com:octo/site.git', 'github.com', 'octo/site'],
    ['github.com:octo/site', 'github.com', 'octo/site'],
    ['ssh://git@GitHub.com:22/octo/site.git', 'github.com', 'octo/site'],
    ['https://user:secret@github.com/octo/site/', 'github.com', 'octo/site'],
  ])('is read from %s', (address, host, path) => {
    expect(parseAddress(address)).toEqual({ host, path });
  });

  it.each(['/srv/site.git', '../site.git', 'file:///srv/site.git', 'https://github.com/'])(
    'is nowhere in %s',
    (address) => expect(parseAddress(address)).toBeNull(),
  );

  it('is the same by two ways, and not in two repositories', () => {
    expect(isSamePlace('git@github.com:octo/site.git', 'https://github.com/octo/site')).toBe(true);
    expect(isSamePlace('git@github.com:octo/site.git', 'git@github.com:me/site.git')).toBe(false);
    expect(isSamePlace('/srv/a.git', '/srv/a.git')).toBe(true);
    expect(isSamePlace('/srv/a.git', '/srv/b.git')).toBe(false);
  });

  it('is on GitHub, or on a forge that the limits name, which come first', () => {
    const own = { host: 'github.com', apiUrl: 'http://127.0.0.1:1', tokenVariable: 'T' };
    const site = ['https://github.com/octo/site.git'];
    expect(findRepository(site, [])).toMatchObject({
      apiUrl: 'https://api.github.com',
      repository: 'octo/site',
    });
    expect(findRepository(site, [own])).toEqual({ ...own, repository: 'octo/site' });
    expect(findRepository(['gh:octo/site', ...site], [])?.repository).toBe('octo/site');
    expect(findRepository(['https://gitlab.com/octo/site.git'], [own])).toBeNull();
    expect(findRepository(['https://github.com/a/b/c'], [])).toBeNull();
  });
});
