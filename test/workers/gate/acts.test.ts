import { describe, expect, it } from 'vitest';
import { ACT_KINDS } from '../../../protocol/act.ts';
import { DEFAULT_POLICY, type MergePolicy, POLICY_MODES } from '../../../protocol/merge-policy.ts';
import type { ForeseenAct } from '../../../protocol/terminal-command.ts';
import { decidePolicy } from '../../../workers/gate/acts.ts';

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

  it('knows the protected branches by their globs', () => {
    const protectedBranches = ['release/*', 'v[0-9]', '{one,two}'];
    for (const branch of ['release/1', 'RELEASE/2', 'v1', 'one'])
      expect(effect([act('push', `origin ${branch}`)], { protectedBranches })).toBe('deny');
    // What a glob of alternatives cannot be told to leave out counts as meant.
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
