import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_POLICY,
  findHeldBack,
  FORCE_RULES,
  mergePolicies,
  mergePolicy,
  type MergePolicy,
  POLICY_MODES,
  policyPart,
  type PolicyPart,
  policyScope,
  TAG_RULES,
  tightenPolicy,
  tightenSnapshot,
} from '../../protocol/merge-policy.ts';

it('holds what several scopes come to together, of which each says at most a hundred globs', () => {
  const say = (name: string, count: number): PolicyPart => ({
    protectedBranches: Array.from({ length: count }, (_, index) => `${name}-${index}/*`),
  });
  const layers = ['account', 'repository', 'session'].map((name) => ({
    part: policyPart.parse(say(name, 100)),
    widens: null,
  }));
  const policy = mergePolicies(layers);
  expect(policy.protectedBranches).toHaveLength(300);
  expect(mergePolicy.parse(policy)).toEqual(policy);
  expect(policyPart.safeParse(say('account', 101)).success).toBe(false);
});

const glob = fc.constantFrom('release/*', 'prod', 'v*', 'ops/**');
const tool = fc.record({
  effect: fc.constantFrom('deny', 'ask', 'allow'),
  on: fc.constantFrom('file', 'edit', 'command', 'tool'),
  pattern: glob,
});
const whole: fc.Arbitrary<MergePolicy> = fc.record({
  mode: fc.constantFrom(...POLICY_MODES),
  protectedBranches: fc.uniqueArray(glob),
  protectedPaths: fc.uniqueArray(glob),
  force: fc.constantFrom(...FORCE_RULES),
  tags: fc.constantFrom(...TAG_RULES),
  tools: fc.uniqueArray(tool, { selector: (each) => JSON.stringify(each), maxLength: 5 }),
});
const part: fc.Arbitrary<PolicyPart> = fc
  .tuple(whole, fc.subarray(Object.keys(DEFAULT_POLICY)))
  .map(([policy, keys]) =>
    policyPart.parse(
      Object.fromEntries(Object.entries(policy).filter(([key]) => keys.includes(key))),
    ),
  );

/** Whether nothing is possible under `tight` that is not possible under `wide`. */
function isNoLooser(tight: MergePolicy, wide: MergePolicy): boolean {
  const contains = (many: readonly unknown[], few: readonly unknown[]) => {
    const texts = new Set(many.map((each) => JSON.stringify(each)));
    return few.every((each) => texts.has(JSON.stringify(each)));
  };
  const allows = ({ tools }: MergePolicy) => tools.filter(({ effect }) => effect === 'allow');
  const holds = ({ tools }: MergePolicy) => tools.filter(({ effect }) => effect !== 'allow');
  return (
    POLICY_MODES.indexOf(tight.mode) <= POLICY_MODES.indexOf(wide.mode) &&
    FORCE_RULES.indexOf(tight.force) <= FORCE_RULES.indexOf(wide.force) &&
    TAG_RULES.indexOf(tight.tags) <= TAG_RULES.indexOf(wide.tags) &&
    contains(tight.protectedBranches, wide.protectedBranches) &&
    contains(tight.protectedPaths, wide.protectedPaths) &&
    contains(holds(tight), holds(wide)) &&
    contains(allows(wide), allows(tight))
  );
}

describe('a narrower part of the policy', () => {
  it('makes nothing possible that was not, however many follow each other', () => {
    fc.assert(
      fc.property(whole, fc.array(part, { maxLength: 4 }), (wide, parts) => {
        const layers = parts.map((each) => ({ part: each, widens: null }));
        expect(isNoLooser(mergePolicies(layers, wide), wide)).toBe(true);
      }),
    );
  });

  it('holds as far as it is stricter than the wider one', () => {
    fc.assert(
      fc.property(whole, whole, (wide, narrow) => {
        const tight = tightenPolicy(wide, narrow);
        expect(isNoLooser({ ...tight, tools: [] }, { ...narrow, tools: [] })).toBe(true);
        for (const rule of narrow.tools.filter(({ effect }) => effect !== 'allow'))
          expect(tight.tools).toContainEqual(rule);
      }),
    );
  });

  it('said twice says nothing more, and saying nothing changes nothing', () => {
    fc.assert(
      fc.property(whole, part, (wide, narrow) => {
        const once = tightenPolicy(wide, narrow);
        expect(tightenPolicy(once, narrow)).toEqual(once);
        expect(tightenPolicy(wide, {})).toEqual(wide);
      }),
    );
  });

  it('says more only where its owner gave a reason, and only in what it names', () => {
    const strict = tightenPolicy(DEFAULT_POLICY, { mode: 'none', tags: 'never' });
    const widened = mergePolicies([{ part: { mode: 'merge' }, widens: 'a sandbox' }], strict);
    expect(widened).toEqual({ ...strict, mode: 'merge' });
    expect(mergePolicies([{ part: { mode: 'merge' }, widens: null }], strict)).toEqual(strict);
  });

  it('is tightened again by the scope within', () => {
    const layers = [
      { part: { mode: 'merge' as const }, widens: 'a sandbox' },
      { part: { mode: 'ask' as const }, widens: null },
    ];
    expect(mergePolicies(layers).mode).toBe('ask');
  });
});

describe('a session that is launched again', () => {
  const from = (policy: MergePolicy, version = 1) => ({
    policy,
    sources: [{ scope: { kind: 'account' as const }, version }],
  });

  it('never may more than before, and never more than its scopes say by now', () => {
    fc.assert(
      fc.property(whole, whole, (before, now) => {
        const got = tightenSnapshot(from(before), from(now, 2))?.policy ?? before;
        expect(isNoLooser(got, before)).toBe(true);
        expect(isNoLooser(got, now)).toBe(true);
      }),
    );
  });

  it('is told of nothing where nothing is taken away', () => {
    fc.assert(
      fc.property(whole, (policy) => {
        expect(tightenSnapshot(from(policy), from(policy, 2))).toBeNull();
      }),
    );
    const wider = { ...DEFAULT_POLICY, mode: 'merge' as const, tags: 'new' as const };
    expect(tightenSnapshot(from(DEFAULT_POLICY), from(wider, 2))).toBeNull();
  });

  it('from before there were policies is held to what nobody has changed', () => {
    const strict = { ...DEFAULT_POLICY, mode: 'none' as const };
    expect(tightenSnapshot(null, from(strict))?.policy).toEqual(strict);
    expect(tightenSnapshot(null, from(DEFAULT_POLICY))).toBeNull();
  });

  it('goes nowhere unasked where that was taken back, and names both versions that say so', () => {
    const allow = { effect: 'allow' as const, on: 'command' as const, pattern: 'make *' };
    const before = { ...DEFAULT_POLICY, tools: [...DEFAULT_POLICY.tools, allow] };
    const got = tightenSnapshot(from(before), from(DEFAULT_POLICY, 2));
    expect(got?.policy).toEqual(DEFAULT_POLICY);
    expect(got?.sources.map(({ version }) => version)).toEqual([1, 2]);
  });

  it('keeps that its engine may use less than its scopes allow', () => {
    const held = { ...from(DEFAULT_POLICY), capped: true as const };
    expect(tightenSnapshot(held, from({ ...DEFAULT_POLICY, mode: 'none' }))?.capped).toBe(true);
  });
});

describe('what nobody has said anything about', () => {
  it('may open pull requests, and protects workflows, .env and credentials', () => {
    const policy = mergePolicies([]);
    expect(policy).toMatchObject({ mode: 'pr', force: 'own', tags: 'never' });
    expect(policy.protectedPaths).toContain('.github/workflows/**');
    expect(policy.tools).toContainEqual({ effect: 'deny', on: 'file', pattern: '**/.env' });
    expect(mergePolicy.parse(policy)).toEqual(DEFAULT_POLICY);
  });
});

describe('a policy that comes from outside', () => {
  it.each([
    ['an unknown mode', { mode: 'yolo' }],
    ['an unknown key, which would protect nothing', { protectedBranch: ['x'] }],
    ['a glob that takes something out again', { protectedBranches: ['!main'] }],
    ['an empty glob', { protectedPaths: [''] }],
  ])('is refused with %s', (_name, given) => {
    expect(policyPart.safeParse(given).success).toBe(false);
  });

  it('names a repository by an absolute path', () => {
    const scope = { kind: 'repository', runnerId: 'run_1', directory: 'code/shop' };
    expect(policyScope.safeParse(scope).success).toBe(false);
  });
});

describe('what a scope says and does not get', () => {
  it('is what would be more than the wider one lets it, without a reason', () => {
    const part = { mode: 'merge', force: 'never', tags: 'new' } as const;
    expect(findHeldBack(DEFAULT_POLICY, { part, widens: null })).toEqual([
      'mode stays pr',
      'tags stays never',
    ]);
    expect(findHeldBack(DEFAULT_POLICY, { part, widens: 'why' })).toEqual([]);
    expect(findHeldBack(DEFAULT_POLICY, { part: { mode: 'none' }, widens: null })).toEqual([]);
  });
});
