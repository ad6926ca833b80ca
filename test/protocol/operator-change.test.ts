import { describe, expect, it } from 'vitest';
import { DEFAULT_CONSENTS, type InstanceBody } from '../../protocol/operator.ts';
import type { InstanceChange } from '../../protocol/operator-http.ts';
import { decideChange } from '../../protocol/operator-change.ts';

const body: InstanceBody = {
  name: 'build watcher',
  agreedVersion: 1,
  narrowing: {},
  boundTarget: null,
  consents: DEFAULT_CONSENTS,
  brain: null,
  budgetMicroUsd: null,
  state: 'active',
};
const bound = { target: 'tmux:default:10.20:%1', label: 'build' };

describe('a change of an instance', () => {
  it.each<[InstanceChange, Partial<InstanceBody>]>([
    [{ change: 'rename', name: 'other' }, { name: 'other' }],
    [{ change: 'bind', boundTarget: bound }, { boundTarget: bound }],
    [{ change: 'bind', boundTarget: null }, { boundTarget: null }],
    [{ change: 'narrow', narrowing: { tools: [] } }, { narrowing: { tools: [] } }],
    [{ change: 'agree', version: 2 }, { agreedVersion: 2 }],
    [{ change: 'budget', budgetMicroUsd: 5 }, { budgetMicroUsd: 5 }],
    [{ change: 'pause' }, { state: 'paused' }],
    [{ change: 'resume' }, { state: 'active' }],
    [{ change: 'remove' }, { state: 'removed' }],
  ])('%o changes that and nothing else', (change, parts) => {
    expect(decideChange(body, change)).toEqual({ ...body, ...parts });
  });

  it('of a consent leaves the others as they were', () => {
    const change = { change: 'consent', consents: { run: 'always', kill: undefined } } as const;
    expect(decideChange(body, change).consents).toEqual({ ...DEFAULT_CONSENTS, run: 'always' });
  });

  it('comes too late for one that was removed, but for removing it again', () => {
    const removed = { ...body, state: 'removed' } as const;
    expect(decideChange(removed, { change: 'remove' })).toEqual(removed);
    for (const change of ['pause', 'resume'] as const)
      expect(() => decideChange(removed, { change })).toThrow('removed for good');
  });
});
