import { describe, expect, it } from 'vitest';
import { ACT_KINDS, actKind, actOutcome, actSeen, witness } from '../../protocol/act.ts';
import { actSeen as seenEvent } from '../support/feed-events.ts';

const accepts = (over: Record<string, unknown>) =>
  actSeen.safeParse({ ...seenEvent().act, ...over }).success;

describe('an act', () => {
  it('is read back from JSON without a difference', () => {
    const { act } = seenEvent();
    expect(actSeen.parse(JSON.parse(JSON.stringify(act)))).toEqual(act);
  });

  it.each(ACT_KINDS)('may be a %s', (kind) => {
    expect(accepts({ kind })).toBe(true);
  });

  it.each(['pull-request', 'PUSH', '', null])('may not be a %j', (kind) => {
    expect(accepts({ kind })).toBe(false);
  });

  it.each([
    ['without a turn', { turnId: null }, true],
    ['that only its effect betrays', { toolId: null, witness: 'git' }, true],
    ['without a target', { target: null }, true],
    ['that does not say whether it is certain', { uncertain: undefined }, false],
    ['that nobody witnessed', { witness: 'rumour' }, false],
    ['with an id of another kind', { actId: 'trn_1' }, false],
    ['without its command', { command: undefined }, false],
  ])('%s is accepted: %s', (_what, over, accepted) => {
    expect(accepts(over)).toBe(accepted);
  });
});

describe('the words for acts', () => {
  it('are each said once', () => {
    expect(new Set(ACT_KINDS).size).toBe(ACT_KINDS.length);
    expect(actKind.options).toEqual([...ACT_KINDS]);
  });

  it('have an outcome for what cannot be known', () => {
    expect(actOutcome.options).toContain('unknown');
  });

  it('tell a stream, the refs, our own order and the gate apart', () => {
    expect(witness.options).toEqual(['stream', 'git', 'instructed', 'gate', 'guard']);
  });
});
