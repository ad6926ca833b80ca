import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { RunnerSummary, SessionDetail } from '../../../../protocol/http.ts';
import { withForkedTerms } from '../../../../runner/cli/launch-terms.ts';
import { forkRequestOf, type ForkTermsSaid } from '../../../../runner/cli/sessions/fork-request.ts';
import { created, viewAfter } from '../../../support/protocol-builders.ts';

const LIMITS = { tokens: 500_000, turns: 3, timeMs: null };
const detail = () => {
  const begun = viewAfter(created());
  const terms = {
    budgetMicroUsd: 2_500_000,
    model: 'opus',
    limits: LIMITS,
    grade: 'sealed',
    network: 'model-only',
  };
  const checkout = { mode: 'own' };
  const turns = [{ turnId: 'trn_1', state: 'ended' }];
  const view = { ...begun, launch: { ...begun.launch, ...terms }, checkout, turns };
  return { view, summary: { runnerId: 'run_1', sessionId: 'ses_1' } } as unknown as SessionDetail;
};
const ask = (...words: string[]) => {
  const command = withForkedTerms(
    new Command().exitOverride().configureOutput({ writeErr: () => {} }),
  );
  const able = { machine: { forks: true } } as RunnerSummary;
  const options = command.parse(words, { from: 'user' }).opts<ForkTermsSaid>();
  return forkRequestOf(detail(), able, 'Another way', options);
};

describe('pilothouse sessions fork', () => {
  it('has the terms of the session where nothing is said', () => {
    expect(ask()).toMatchObject({ budgetMicroUsd: 2_500_000, model: 'opus', limits: LIMITS });
    expect(ask()).toMatchObject({ grade: 'sealed', network: 'model-only' });
  });

  it('changes one limit, and takes one away, without the others', () => {
    expect(ask('--turns', '9').limits).toEqual({ ...LIMITS, turns: 9 });
    expect(ask('--turns', 'none').limits).toEqual({ ...LIMITS, turns: null });
    expect(ask('--tokens', 'none', '--turns', 'none', '--minutes', 'none').limits).toBeNull();
  });

  it('takes away a budget, a model, a grade and a network', () => {
    expect(ask('--budget', 'none', '--model', 'none', '--grade', 'default')).toMatchObject({
      budgetMicroUsd: null,
      model: null,
      grade: null,
    });
    expect(ask('--network', 'default').network).toBeUndefined();
  });

  it('reads every other word as a launch does', () => {
    expect(ask('--budget', '2.5').budgetMicroUsd).toBe(2_500_000);
    expect(() => ask('--budget', 'nothing')).toThrow('amount of US dollars');
    expect(() => ask('--grade', 'none')).toThrow();
  });
});
