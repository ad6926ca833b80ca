import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { type ActRules, judgeActs } from '../../../runner/gate/act-policy.ts';
import type { MergePolicy } from '../../../protocol/merge-policy.ts';
import { actRulesOf } from '../../support/policy-rules.ts';

/** What is said of a command line before it runs: `refuse`, `ask`, or null for no objection. */
const judge = (line: string, policy: Partial<MergePolicy> = {}, over: Partial<ActRules> = {}) =>
  judgeActs(classifyCommand(line), actRulesOf(policy, over));
const kindOf = (...args: Parameters<typeof judge>) => judge(...args)?.kind ?? null;

describe('before a command line runs', () => {
  it.each([
    'git push origin main',
    'git push origin HEAD:main',
    'git push origin HEAD:refs/heads/main',
    'git push origin feature:heads/Main',
    'git push origin feature main',
    'git push --force origin main',
    'git push origin +HEAD:main',
    'git push origin :main',
    'git push --delete origin main',
    'git push https://example.com/a.git HEAD:main',
    'git push elsewhere HEAD:main',
    `bash -lc 'npm test && git push origin HEAD:main'`,
    'env -i git -C /w push origin main',
    'git push origin HEAD:release/1.2',
    'gh pr merge 4 --squash',
    'glab mr merge 7',
    'gh api -X PUT repos/a/b/pulls/4/merge',
    'git push --tags',
    'git push origin refs/tags/v1',
    'git push --delete origin refs/tags/v1',
    'gh release create v1',
  ])('%s is refused under a policy of pull requests', (line) => {
    expect(kindOf(line, { mode: 'pr', protectedBranches: ['release/*'] })).toBe('refuse');
  });

  it.each([
    'git push origin feature',
    'git push -u origin HEAD:feature',
    'git push origin main:feature',
    'git push --force origin feature',
    'git push --delete origin feature',
    'git push origin mainframe',
    'git push --dry-run origin main',
    'git push',
    'git push origin HEAD',
    'gh pr create --fill',
    'git merge main',
    'git tag v1',
    'git lfs push origin main',
    'echo git push origin main',
    // A word that cannot be seen is left to those who see what happened.
    'git push origin "$BRANCH"',
    '$GIT push origin main',
  ])('%s is not objected to', (line) => {
    expect(judge(line)).toBeNull();
  });

  it('says what to do instead', () => {
    expect(judge('git push origin main')?.reason).toBe(
      'main is protected; push a branch of your own and open a pull request',
    );
  });

  it.each([
    ['none', 'gh pr create', 'refuse'],
    ['pr', 'gh pr create', null],
    ['ask', 'git push origin main', 'ask'],
    ['ask', 'gh pr merge 4', 'ask'],
    ['ask', 'git push --force origin main', 'refuse'],
    ['ask', 'git push origin :main', 'refuse'],
    ['ask', 'gh pr merge 4; git push -f origin main', 'refuse'],
    ['merge', 'git push origin main', null],
    ['merge', 'gh pr merge 4', null],
    ['merge', 'git push --force origin main', 'refuse'],
  ] as const)('in mode %s, %s comes to %s', (mode, line, kind) => {
    expect(kindOf(line, { mode })).toBe(kind);
  });

  it.each([
    ['never', 'refuse'],
    ['ask', 'ask'],
    ['new', null],
  ] as const)('tags are %s', (tags, kind) => {
    const rules = actRulesOf({ tags });
    const wide = { ...rules, policy: { ...rules.policy, tags } };
    for (const line of ['git push --tags', 'git push origin tag v1', 'gh release create v1'])
      expect(judgeActs(classifyCommand(line), wide)?.kind ?? null).toBe(kind);
  });

  it('what was pushed is rewritten by nobody where the policy says so', () => {
    expect(kindOf('git push --force-with-lease origin feature', { force: 'never' })).toBe('refuse');
    expect(kindOf('git push --delete origin feature', { force: 'never' })).toBe('refuse');
    expect(kindOf('git push origin feature', { force: 'never' })).toBeNull();
  });

  it('the default branch is the one that the remote says', () => {
    const heads = { origin: 'develop', fork: 'main' };
    expect(kindOf('git push origin HEAD:develop', {}, { heads })).toBe('refuse');
    expect(kindOf('git push origin main', {}, { heads })).toBeNull();
    expect(kindOf('git push fork main', {}, { heads })).toBe('refuse');
    expect(kindOf('git push elsewhere main', {}, { heads })).toBe('refuse');
    expect(kindOf('git push origin master', {}, { heads: {} })).toBe('refuse');
  });

  it('the machine’s own limits hold whatever the policy says', () => {
    const rules = actRulesOf({ mode: 'merge' });
    const policy = { ...rules.policy, fixedBranches: ['live'] };
    expect(judgeActs(classifyCommand('git push origin live'), { ...rules, policy })).toMatchObject({
      kind: 'refuse',
      reason: expect.stringContaining('limits.toml'),
    });
  });

  it('a push that names no branch is of the one that the session found, where it works in place', () => {
    for (const line of ['git push', 'git push origin', 'git push origin HEAD', 'git push --all']) {
      expect(judge(line, {}, { branch: 'main' })).toMatchObject({
        kind: 'refuse',
        reason: expect.stringContaining('git push origin HEAD:NAME'),
      });
      expect(judge(line, {}, { branch: 'feature' })).toBeNull();
    }
    expect(kindOf('git push', { mode: 'ask' }, { branch: 'main' })).toBe('ask');
    expect(judge('git push origin HEAD:feature', {}, { branch: 'main' })).toBeNull();
  });

  it('behind the gate only what is certain is refused, and a person is asked there alone', () => {
    const over = { gated: true };
    expect(kindOf('git push origin HEAD:main', { mode: 'pr' }, over)).toBe('refuse');
    expect(judge('git push origin HEAD:main', { mode: 'ask' }, over)).toBeNull();
    expect(judge('gh pr merge 4', { mode: 'ask' }, over)).toBeNull();
    // Whether it rewrites anything, the gate sees.
    expect(judge('git push --force origin feature', { force: 'never' }, over)).toBeNull();
    expect(judge('git push --force origin main', { mode: 'merge' }, over)).toBeNull();
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'a remote named %s has the trunk of those that are known',
    (remote) => {
      expect(kindOf(`git push ${remote} HEAD:main`, { mode: 'pr' })).toBe('refuse');
    },
  );
});
