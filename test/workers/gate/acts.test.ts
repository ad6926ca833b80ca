import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { ACT_KINDS } from '../../../protocol/act.ts';
import { DEFAULT_POLICY, type MergePolicy, POLICY_MODES } from '../../../protocol/merge-policy.ts';
import { BRANCH_GLOB } from '../../../protocol/policy-globs.ts';
import type { ForeseenAct } from '../../../protocol/terminal-command.ts';

import { decidePolicy, kindsOf } from '../../../workers/gate/acts.ts';

const act = (kind: ForeseenAct['kind'], target: string | null = null, uncertain = false) => ({
  kind,
  command: kind,
  target,
  uncertain,
});
const effect = (acts: ForeseenAct[], over: Partial<MergePolicy> = {}) =>
  decidePolicy({ acts, ruled: null }, { ...DEFAULT_POLICY, ...over }).effect;

describe('the merge policy on what a call would do', () => {
  it.each([
    ['none', 'deny'],
    ['pr', 'deny'],
    ['ask', 'ask'],
    ['merge', 'allow'],
  ] as const)('in mode %s: %s for a merge and a push to a trunk', (mode, expected) => {
    expect(effect([act('merge')], { mode })).toBe(expected);
    expect(effect([act('push', 'origin main')], { mode })).toBe(expected);
    expect(effect([act('push', 'origin feature')], { mode })).toBe('allow');
  });

  it('asks about a push whose branch the command does not say', () => {
    expect(effect([act('push')])).toBe('ask');
    expect(effect([act('push', 'origin')])).toBe('ask');
    expect(effect([act('push', 'origin feature', true)])).toBe('ask');
  });

  it.each(['HEAD', '@', 'head', 'refs/heads/*', '*', '@{u}', 'HEAD~1', 'feature HEAD'])(
    'asks about a push of %s, which may be any branch',
    (branch) => {
      expect(effect([act('push', `origin ${branch}`)])).toBe('ask');
    },
  );

  it('needs nothing more to deny a push to a trunk, whatever else of it cannot be told', () => {
    expect(effect([act('push', 'origin main HEAD')])).toBe('deny');
    expect(effect([act('push', 'origin main', true)])).toBe('deny');
    expect(effect([act('push', 'origin main HEAD')], { mode: 'merge' })).toBe('ask');
  });

  it.each([
    ['hotfix/**', 'hotfix'],
    ['hotfix/**', 'Hotfix/1/2'],
    ['**/x', 'x'],
    ['{a,{b,c}}', 'c'],
    ['a\\{b', 'a{b'],
    ['v+([0-9])', 'v12'],
    ['*', '.dotted'],
  ])('holds %s to %s, as the machine does', (glob, branch) => {
    expect(picomatch.isMatch(branch, [glob], BRANCH_GLOB)).toBe(true);
    expect(effect([act('push', `origin ${branch}`)], { protectedBranches: [glob] })).toBe('deny');
  });

  it('knows the protected branches by their globs', () => {
    const protectedBranches = ['release/*', 'v[0-9]', '{one,two}'];
    for (const branch of ['release/1', 'RELEASE/2', 'v1', 'one'])
      expect(effect([act('push', `origin ${branch}`)], { protectedBranches })).toBe('deny');
    expect(effect([act('push', 'origin feature')], { protectedBranches: ['release/*'] })).toBe(
      'allow',
    );
  });

  it('takes the strictest of several', () => {
    expect(effect([act('comment'), act('publish'), act('merge')])).toBe('deny');
    expect(effect([act('comment'), act('publish')])).toBe('ask');
  });

  it('holds force and tags to their own rules', () => {
    expect(effect([act('force_push', 'origin x')], { force: 'never' })).toBe('deny');
    expect(effect([act('force_push', 'origin x')], { force: 'own' })).toBe('ask');
    expect(effect([act('tag', 'origin v1')], { tags: 'never' })).toBe('deny');
    expect(effect([act('tag', 'origin v1')], { tags: 'ask' })).toBe('ask');
    expect(effect([act('tag', 'origin v1')], { tags: 'new' })).toBe('allow');
  });

  it('never lets a stricter mode do more, whatever the act', () => {
    const order = ['deny', 'ask', 'allow'];
    for (const kind of ACT_KINDS) {
      const effects = POLICY_MODES.map((mode) =>
        order.indexOf(effect([act(kind, 'origin main')], { mode })),
      );
      expect(effects, kind).toEqual(effects.toSorted((one, other) => one - other));
    }
  });

  it('says which rule it is', () => {
    const { reason } = decidePolicy({ acts: [act('merge', '#12')], ruled: null }, DEFAULT_POLICY);
    expect(reason).toBe('merge policy (pr) on merge #12');
    const ruled = { effect: 'deny', pattern: '**/.env' } as const;
    expect(decidePolicy({ acts: [], ruled }, DEFAULT_POLICY).reason).toBe('merge policy: **/.env');
  });
});

describe('the merge policy on acts that are no merge', () => {
  it.each(['comment', 'commit', 'pull_request_close'] as const)(
    'lets a %s be in every mode',
    (kind) => {
      for (const mode of POLICY_MODES) expect(effect([act(kind)], { mode })).toBe('allow');
    },
  );

  it.each(['delete', 'release', 'publish', 'deploy', 'secret_read', 'permission'] as const)(
    'asks about a %s unless it lets everything be',
    (kind) => {
      expect(effect([act(kind)], { mode: 'none' })).toBe('ask');
      expect(effect([act(kind)], { mode: 'pr' })).toBe('ask');
      expect(effect([act(kind)], { mode: 'merge' })).toBe('allow');
    },
  );

  it('lets no pull request be where it lets nothing reach the remote', () => {
    expect(effect([act('pull_request')], { mode: 'none' })).toBe('deny');
    expect(effect([act('pull_request')], { mode: 'pr' })).toBe('allow');
  });

  it.each(['Main', 'master', 'PRODUCTION', 'release', 'stable'])(
    'knows %s for a trunk, also among other branches of a push',
    (branch) => {
      expect(effect([act('push', `origin feature ${branch}`)])).toBe('deny');
      expect(effect([act('push', `origin feature/${branch}`)])).toBe('allow');
    },
  );

  it('takes what a glob says of signs for signs', () => {
    const protectedBranches = ['v1.0', 'a+b'];
    expect(effect([act('push', 'origin v1.0')], { protectedBranches })).toBe('deny');
    expect(effect([act('push', 'origin v1x0')], { protectedBranches })).toBe('allow');
    expect(effect([act('push', 'origin aab')], { protectedBranches })).toBe('allow');
  });
});

describe('a rule of the policy on a tool', () => {
  const by = (ruled: 'allow' | 'ask' | 'deny', acts: ForeseenAct[]) =>
    decidePolicy({ acts, ruled: { effect: ruled, pattern: 'npm *' } }, DEFAULT_POLICY);

  it('is stricter than an act that is let be, and never looser', () => {
    expect(by('ask', [act('comment')])).toEqual({ effect: 'ask', reason: 'merge policy: npm *' });
    expect(by('deny', [act('publish')]).effect).toBe('deny');
    expect(by('allow', [act('publish')]).effect).toBe('ask');
    expect(by('ask', [act('merge')]).effect).toBe('deny');
    expect(by('allow', [])).toEqual({ effect: 'allow', reason: '' });
  });
});

it('puts each kind of act on record once, in the order of the command', () => {
  expect(kindsOf([act('push'), act('tag'), act('push')])).toEqual(['push', 'tag']);
  expect(kindsOf([])).toEqual([]);
});
