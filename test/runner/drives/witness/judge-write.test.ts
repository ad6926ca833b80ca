import { describe, expect, it } from 'vitest';
import type { DriveWatch } from '../../../../protocol/drive-witness.ts';
import { actId, instanceId } from '../../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../../protocol/merge-policy.ts';
import { besideOf } from '../../../../runner/drives/witness/beside.ts';
import {
  isNews,
  judgeWrite,
  type JudgeRequest,
} from '../../../../runner/drives/witness/judge-write.ts';

const { tools: _, ...policy } = DEFAULT_POLICY;
const nothing: DriveWatch = { policy, sources: [], acts: [], approved: false };
const push = {
  actId: actId.parse('act_push'),
  kind: 'push' as const,
  command: 'git push',
  target: 'origin',
  uncertain: true,
};
const approved: DriveWatch = { ...nothing, acts: [push], approved: true };
const move = {
  place: 'origin',
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
};
const request: JudgeRequest = {
  instanceId: instanceId.parse('ins_1'),
  callId: 'call_1',
  watch: nothing,
  succeeded: true,
  rules: { ...policy, fixedBranches: [] },
  company: { typed: false, shared: false, restarted: false, end: 'ended' },
  beside: [],
  found: {
    top: '/work',
    head: null,
    places: [{ name: 'origin', refs: {}, skipped: null, head: 'main' }],
    moves: [
      {
        move: { ...move, remote: true },
        kind: 'merge',
        defaultBranch: 'main',
        evidence: {
          logged: true,
          own: false,
          held: true,
          fetched: false,
          forward: true,
          changes: { known: true, paths: [] },
        },
      },
    ],
  },
};
const other = { callId: 'call_2' };

describe('a move while an operator wrote into two terminals of a repository', () => {
  it('is a breach where a person was asked about neither', () => {
    expect(judgeWrite(request).breaches).toHaveLength(1);
    const beside = [besideOf(other, { ...approved, approved: false }, true, null)];
    expect(judgeWrite({ ...request, beside }).breaches).toHaveLength(1);
  });

  it('is none where a person was asked about it in the other, and is that act', () => {
    const beside = [besideOf(other, approved, false, null)];
    const { acts, breaches } = judgeWrite({ ...request, beside });
    expect(breaches).toEqual([]);
    expect(acts).toMatchObject([{ actId: 'act_push', finding: 'confirmed' }]);
    const watch = {
      ...approved,
      approved: false,
      acts: [{ ...push, actId: actId.parse('act_2') }],
    };
    expect(judgeWrite({ ...request, watch, beside }).breaches).toEqual([]);
  });

  it('is left out where the other has been found to have done it, and no act of this one is missed', () => {
    const judged = judgeWrite({ ...request, watch: approved, callId: 'call_2' });
    const beside = [besideOf(other, approved, true, judged)];
    expect(isNews(judgeWrite({ ...request, beside }))).toBe(false);
    expect(isNews(judgeWrite({ ...request, watch: approved, beside }))).toBe(false);
    const [first] = request.found.moves;
    if (!first) throw new Error('nothing moved');
    const again = { ...first, move: { ...first.move, after: '3'.repeat(40) } };
    const found = { ...request.found, moves: [again] };
    expect(isNews(judgeWrite({ ...request, found, beside }))).toBe(true);
  });
});
