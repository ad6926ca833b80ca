import { describe, expect, test } from 'vitest';
import { ownCapOf } from '../../../../runner/sessions/budget-rules.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { countOf, instruct, kinds } from '../../../support/session-steps.ts';

describe('a budget', () => {
  const spend = (simulator: SessionSimulator, over: Parameters<typeof aUsage>[0]) =>
    simulator.event({ type: 'usage/recorded', turnId: turnNumber(1), entries: [aUsage(over)] });
  const limited = () => new SessionSimulator(1, aLaunch({ budgetMicroUsd: 1_000 })).run();

  test('counts what is reported, estimated or notional, and stops the session at its limit', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 400 });
    spend(simulator, { microUsd: 300, provenance: 'estimated' });
    spend(simulator, { microUsd: 300, payer: 'subscription' });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'budget' }]);
    expect(simulator.terminating).toBe(true);
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_halted']);
    simulator.exit(0);
    expect(simulator.view.state).toBe('halted');
  });

  test('that halts a session does not swallow a stop that comes while the engine ends', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000 });
    simulator.endTurn();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    expect(simulator.refusals).toEqual([]);
    expect(simulator.view.state).toBe('stopped');
  });

  test('counts the least that a turn without its figure has cost, and says that it does', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 999, provenance: 'unsettled' });
    spend(simulator, { microUsd: 1, provenance: 'unsettled' });
    simulator.endTurn({ outcome: 'interrupted', usage: 'unsettled' });
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.reason).toBe('budget');
    expect(halted?.message).toContain('the least that they can have cost');
  });

  test('does not count a rehearsal, nor what has no price', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 9_000, provenance: 'rehearsal' });
    spend(simulator, { microUsd: null });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('says once for each mark that half, four fifths and nearly all of it are used', () => {
    const simulator = limited();
    const told = () =>
      simulator
        .ofType('notice/raised')
        .filter(({ code }) => code === 'budget_warning')
        .map(({ message }) => message.slice(0, 4));
    spend(simulator, { microUsd: 499 });
    expect(told()).toEqual([]);
    spend(simulator, { microUsd: 1 });
    spend(simulator, { microUsd: 100 });
    expect(told()).toEqual(['50 %']);
    // An estimate of the turn under way counts as it does for the limit.
    simulator.input({ kind: 'estimate', microUsd: 360 });
    simulator.input({ kind: 'spoke' });
    expect(told()).toEqual(['50 %', '95 %']);
    spend(simulator, { microUsd: 250 });
    expect(told()).toEqual(['50 %', '95 %']);
  });

  test('that is reached at once is told as reached, and not as about to be', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000 });
    simulator.endTurn();
    expect(simulator.ofType('notice/raised').map(({ code }) => code)).not.toContain(
      'budget_warning',
    );
  });

  test('that is passed in mid-turn asks the turn to end, once', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000 });
    simulator.input({ kind: 'spoke' });
    simulator.input({ kind: 'spoke' });
    expect(kinds(simulator).filter((kind) => kind === 'interrupt')).toHaveLength(1);
    expect(simulator.ofType('session/halted')).toEqual([]);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.view.state).toBe('halted');
  });

  test('stops a turn at what it is estimated at, and says what is estimated of it', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 400 });
    simulator.input({ kind: 'estimate', microUsd: 599 });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    simulator.input({ kind: 'estimate', microUsd: 600 });
    simulator.input({ kind: 'spoke' });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    const notice = simulator.ofType('notice/raised').find(({ code }) => code === 'budget_reached');
    expect(notice?.message).toMatch(/\$0\.0004 on record.*about \$0\.0010.*an estimate/);
  });

  test('halts after a turn that was stopped for it, though its own figure came to less', () => {
    const simulator = limited();
    simulator.input({ kind: 'estimate', microUsd: 1_000 });
    simulator.input({ kind: 'spoke' });
    spend(simulator, { microUsd: 900 });
    simulator.endTurn({ outcome: 'interrupted' });
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.message).toMatch(/was estimated to reach.*\$0\.0009 reported by the engine/);
    expect(simulator.state.spent).toEqual({ reported: 900 });
  });

  test('halts after a turn that the engine ended by its own count of what was left', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 900 });
    simulator.input({ kind: 'capped' });
    simulator.input({ kind: 'capped' });
    simulator.endTurn({ outcome: 'interrupted' });
    const told = simulator.ofType('notice/raised').filter(({ code }) => code === 'budget_reached');
    expect(told.map(({ message }) => message)).toEqual([
      'The engine ended the turn: its process has come to what was left of the session’s limit of $0.0010 when it began.',
    ]);
    expect(countOf(simulator, 'interrupt')).toBe(0);
    expect(simulator.view.state).toBe('halted');
  });

  test.each([
    [1_000, 0, null, 1_000],
    [1_000, 400, 'provider', 600],
    [1_000, 1_200, 'provider', 1],
    [1_000, 400, 'gate', undefined],
    [null, 400, 'provider', undefined],
  ] as const)(
    'of %s with %s spent gives a process that calls by way of %s a limit of %s',
    (budgetMicroUsd, reported, through, cap) => {
      const { state } = new SessionSimulator(1, aLaunch({ budgetMicroUsd }));
      expect(ownCapOf({ ...state, spent: { reported } }, through)).toBe(cap);
    },
  );

  test('forgets an estimate when the figure of the same work is there', () => {
    const simulator = limited();
    simulator.input({ kind: 'estimate', microUsd: 900 });
    spend(simulator, { microUsd: 900 });
    simulator.input({ kind: 'spoke' });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('names notional dollars as what they are', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000, payer: 'subscription' });
    simulator.endTurn();
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.message).toContain('$0.0020 notional at list prices, paid by a subscription');
    expect(halted?.message).not.toContain('reported');
  });

  test('cannot be kept with a model without a price, which halts the session after its first turn', () => {
    const simulator = limited();
    spend(simulator, { microUsd: null, provenance: 'estimated', model: 'gemini-9' });
    simulator.endTurn();
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.reason).toBe('unpriced_model');
    expect(halted?.message).toContain('the model gemini-9, for which no price is known');
  });

  test('that nobody set lets a model without a price work', () => {
    const simulator = new SessionSimulator().run();
    spend(simulator, { microUsd: null, provenance: 'estimated' });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
  });
});
