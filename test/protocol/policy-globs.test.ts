import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, policyPart, saidPolicyPart } from '../../protocol/merge-policy.ts';
import { findGlobFault } from '../../protocol/policy-globs.ts';
import { savePolicyRequest } from '../../protocol/policy-http.ts';

describe('a glob of the policy', () => {
  it.each([
    ['/release/*', /begin with the name itself/],
    ['./release', /begin with the name itself/],
    ['refs/heads/main', /without refs\/heads/],
    ['release/', /release\/\*\*/],
    ['release/[0-9', /bracket/],
    ['a]b[c', /bracket/],
    ['{a,b', /brace/],
    ['(a+)+b', /parentheses/],
  ])('that would name no branch is refused with what to write: %s', (text, words) => {
    expect(findGlobFault(text, 'branch')).toMatch(words);
    const part = { protectedBranches: ['main', text] };
    const asked = { scope: { kind: 'account' }, part, widens: null, basedOn: 0 };
    const refused = savePolicyRequest.safeParse(asked);
    expect(refused.error?.issues).toMatchObject([{ path: ['part', 'protectedBranches', 1] }]);
    // What was saved before is read, or no session could be launched any more.
    expect(policyPart.safeParse(part).success).toBe(true);
  });

  it.each(['release/*', 'v[0-9]*', '{ops,infra}/**', 'a\\(b\\)', 'hot\\[fix'])(
    'that names branches is taken: %s',
    (text) => {
      expect(findGlobFault(text, 'branch')).toBeNull();
    },
  );

  it('may be any that protects by itself', () => {
    expect(saidPolicyPart.parse(DEFAULT_POLICY)).toEqual(DEFAULT_POLICY);
    expect(findGlobFault('refs/notes.md', 'path')).toBeNull();
  });
});
