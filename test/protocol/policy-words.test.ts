import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, POLICY_MODES } from '../../protocol/merge-policy.ts';
import { describePolicy } from '../../protocol/policy-words.ts';

const words = (over: Partial<typeof DEFAULT_POLICY>) =>
  describePolicy({ ...DEFAULT_POLICY, ...over }).join(' ');

describe('a policy in words', () => {
  it('is what a person reads before they rely on it', () => {
    expect(describePolicy({ ...DEFAULT_POLICY, protectedBranches: ['release/*'] })).toEqual([
      'May open pull requests.',
      'May not push to the default branch, release/*.',
      'May not push changes of workflows and other files that act on the forge.',
      'May rewrite and delete branches that it made itself.',
      'May not push tags.',
      'May not read or change .env and files of credentials.',
    ]);
  });

  it('tells each mode from the others', () => {
    const told = POLICY_MODES.map((mode) => words({ mode }));
    expect(new Set(told).size).toBe(POLICY_MODES.length);
    expect(words({ mode: 'none' })).toContain('May not open pull requests.');
    expect(words({ mode: 'ask' })).toContain('Leaves each push to the default branch to a person.');
    expect(words({ mode: 'merge' })).toContain('forwards only');
  });

  it('names every path that is not one of the usual', () => {
    expect(words({ protectedPaths: ['deploy/**'] })).toContain(
      'May not push changes of deploy/**.',
    );
    const more = [...DEFAULT_POLICY.protectedPaths, 'deploy/**'];
    expect(words({ protectedPaths: more })).toContain('files that act on the forge, deploy/**.');
    expect(words({ protectedPaths: [] })).not.toContain('changes of');
  });

  it('names rules of tools one by one, and never hides that a usual one is missing', () => {
    const rule = { effect: 'ask', on: 'command', pattern: 'npm publish*' } as const;
    expect(words({ tools: [...DEFAULT_POLICY.tools, rule] })).toContain(
      'files of credentials. Asks before it may run npm publish*.',
    );
    const without = words({ tools: DEFAULT_POLICY.tools.slice(1) });
    expect(without).not.toContain('.env and files of credentials');
    expect(without).toContain('May not read or change ~/.ssh/**.');
  });
});
