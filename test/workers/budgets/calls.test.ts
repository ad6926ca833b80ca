import { describe, expect, it } from 'vitest';
import { runnerId, sessionId, turnId } from '../../../protocol/ids.ts';
import type { BudgetStanding } from '../../../protocol/shared-budget.ts';
import {
  CALL_MS,
  decideAged,
  decideCall,
  decideEarlier,
  mostOf,
  QUESTION_MS,
  type Reservation,
} from '../../../workers/budgets/decide.ts';

const standing = (over: Partial<BudgetStanding> = {}): BudgetStanding => ({
  scope: { kind: 'account' },
  unit: 'dollars',
  renews: 'never',
  counts: 'all',
  zone: 'UTC',
  limit: 1_000,
  version: 1,
  savedBy: 'cli',
  savedAt: 0,
  used: 0,
  reserved: 0,
  renewsAt: null,
  ...over,
});
const held = (id: string, kind: Reservation['kind'], at = 0): Reservation => ({
  turnId: turnId.parse(id),
  kind,
  sessionId: sessionId.parse('ses_1'),
  runnerId: runnerId.parse('run_1'),
  directory: null,
  at,
  microUsd: 5,
  paidMicroUsd: 5,
});
const MOST = { microUsd: 400, tokens: 900 };

describe('a model that is asked beside the turns', () => {
  it('holds the most that it can come to, to the last micro-dollar of what is left', () => {
    const grant = { microUsd: 400, paidMicroUsd: 400, tokens: 900 };
    const left = standing({ used: 500, reserved: 100 });
    expect(decideCall([left], MOST)).toEqual({ kind: 'granted', grant });
    expect(decideCall([{ ...left, used: 501 }], MOST)).toMatchObject({ kind: 'exhausted' });
    expect(decideCall([], MOST)).toEqual({ kind: 'granted', grant });
  });

  it('is bound by tokens as by dollars, and by no turns and no time', () => {
    const tokens = standing({ unit: 'tokens', limit: 899 });
    expect(decideCall([tokens], MOST)).toMatchObject({ kind: 'exhausted', budget: tokens });
    const used = { used: 1_000 } as const;
    const others = [standing({ unit: 'turns', ...used }), standing({ unit: 'time', ...used })];
    expect(decideCall(others, MOST)).toMatchObject({ kind: 'granted' });
  });

  it('is not asked where a budget in dollars could not count it', () => {
    const unpriced = mostOf({ model: 'nobody-knows', bytes: 200, outputTokens: 10 });
    expect(unpriced).toEqual({ microUsd: null, tokens: 110 });
    expect(decideCall([standing()], unpriced)).toMatchObject({ kind: 'unpriced' });
    expect(decideCall([standing({ unit: 'tokens' })], unpriced)).toMatchObject({ kind: 'granted' });
  });

  it('has a share, as a turn has, where its machine bounds it', () => {
    const grant = { microUsd: 250, paidMicroUsd: null };
    expect(decideCall([standing(), standing({ unit: 'time' })], null)).toEqual({
      kind: 'granted',
      grant,
    });
    expect(decideCall([standing({ used: 1_000 })], null)).toMatchObject({ kind: 'exhausted' });
  });
});

describe('what was held for a model and never told of', () => {
  const all = [held('trn_t', 'turn'), held('trn_b1', 'call'), held('trn_b2', 'question')];

  const asks = (id: string, told: { ended?: string[]; lost?: string[] } = {}) =>
    decideEarlier(all, turnId.parse(id), {
      ended: (told.ended ?? []).map((each) => turnId.parse(each)),
      lost: (told.lost ?? []).map((each) => turnId.parse(each)),
    });

  it('is lost when the next call is asked for, of the same step or of another', () => {
    expect(asks('trn_b1')).toEqual({ ended: ['trn_b2'], lost: ['trn_b1'] });
    expect(asks('trn_b9')).toEqual({ ended: ['trn_b2'], lost: ['trn_b1'] });
  });

  it('is what whoever asks has on record of it', () => {
    expect(asks('trn_b9', { ended: ['trn_b1'] })).toEqual({
      ended: ['trn_b1', 'trn_b2'],
      lost: [],
    });
    expect(asks('trn_b9', { lost: ['trn_b1', 'trn_b0'] })).toEqual({
      ended: ['trn_b2'],
      lost: ['trn_b1', 'trn_b0'],
    });
  });

  it('is, of a question, the same one when it is asked again', () => {
    expect(asks('trn_b2')).toEqual({ ended: [], lost: ['trn_b1'] });
  });

  it('is over by its age: a call as lost, a question only after a day, a turn never', () => {
    expect(decideAged(all, CALL_MS - 1)).toEqual({ ended: [], lost: [] });
    expect(decideAged(all, CALL_MS)).toEqual({ ended: [], lost: ['trn_b1'] });
    expect(decideAged(all, QUESTION_MS)).toEqual({ ended: ['trn_b2'], lost: ['trn_b1'] });
  });
});
