import { previewPolicy } from '../../../protocol/policy-words.ts';
// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { draftOf, layerOf, sayPart, widerOf } from '../../../console/policy/draft.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { DEFAULT_POLICY, type PolicyLayer } from '../../../protocol/merge-policy.ts';
import type { PolicyDetail, PolicyVersion } from '../../../protocol/policy-http.ts';

const NOTHING: PolicyLayer = { part: {}, widens: null };
const LAYER: PolicyLayer = {
  part: {
    mode: 'ask',
    tags: 'new',
    protectedBranches: ['release/*', 'prod'],
    tools: [{ effect: 'deny', on: 'command', pattern: 'terraform apply *' }],
  },
  widens: 'a person looks',
};
const typed = (over: Partial<ReturnType<typeof draftOf>>) =>
  layerOf({ ...draftOf(NOTHING), ...over });

describe('what is typed of a policy', () => {
  it('is what it was begun with, and nothing where nothing is said', () => {
    expect(layerOf(draftOf(LAYER))).toEqual({ ok: true, layer: LAYER });
    expect(layerOf(draftOf(NOTHING))).toEqual({ ok: true, layer: NOTHING });
  });

  it.each([
    [{ branches: 'main\n!prod' }, 'Branches, line 2: must be a plain glob.'],
    [{ paths: '!x' }, 'Paths, line 1: must be a plain glob.'],
    [{ tools: 'deny command x\nforbid it' }, 'Tools, line 2: write deny, ask or allow'],
    [{ tools: 'deny command' }, 'Tools, line 1'],
  ])('says which line of %o means nothing', (over, problem) => {
    const drafted = typed(over);
    expect(drafted).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('says on one line what a version holds', () => {
    expect(sayPart(LAYER.part)).toBe(
      'mode ask, tags new, protected branches (2), rules of tools (1)',
    );
    expect(sayPart({})).toBe('Nothing of its own');
  });
});

describe('what it would come to', () => {
  it('is told in sentences, with what has no effect without a reason', () => {
    const bare = previewPolicy(DEFAULT_POLICY, { ...LAYER, widens: null });
    expect(bare.words[1]).toBe('May not push to the default branch, release/*, prod.');
    expect(bare.heldBack).toEqual(['mode stays pr', 'tags stays never']);
    const told = previewPolicy(DEFAULT_POLICY, LAYER);
    expect(told.words[1]).toBe(
      'Leaves each push to the default branch, release/*, prod to a person.',
    );
    expect(told.heldBack).toEqual([]);
  });

  it('counts for a repository what stands around it, and not itself', () => {
    const place = { runnerId: runnerId.parse('run_a'), directory: '/code/shop' };
    const version = (
      scope: PolicyVersion['scope'],
      part: PolicyVersion['part'],
    ): PolicyVersion => ({
      scope,
      part,
      version: 1,
      widens: null,
      savedBy: 'cli',
      savedAt: 1,
    });
    const layers = [
      version({ kind: 'account' }, { protectedBranches: ['release/*'] }),
      version({ kind: 'repository', ...place, directory: '/code' }, { force: 'never' }),
      version({ kind: 'repository', ...place }, { mode: 'none' }),
    ];
    const detail: PolicyDetail = { policy: DEFAULT_POLICY, words: [], layers };
    expect(widerOf(detail, place)).toMatchObject({
      mode: 'pr',
      force: 'never',
      protectedBranches: ['release/*'],
    });
    expect(widerOf(detail, null)).toEqual(DEFAULT_POLICY);
  });
});
