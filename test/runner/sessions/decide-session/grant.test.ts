import { describe, expect, test } from 'vitest';
import type { TurnGrant } from '../../../../protocol/shared-budget.ts';
import { grantOfSession } from '../../../../runner/sessions/spent.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { anIdleSession, countOf, kinds } from '../../../support/session-steps.ts';

/** A session whose second turn runs, with this grant. */
function granted(grant: Partial<TurnGrant>, budgetMicroUsd: number | null = null) {
  const simulator = anIdleSession(new SessionSimulator(1, aLaunch({ budgetMicroUsd })));
  const whole = { microUsd: null, paidMicroUsd: null, ...grant };
  const next = (turn: number, its: TurnGrant = whole) => {
    simulator.input({
      kind: 'instruct',
      turn: { turnId: turnNumber(turn), text: 'go', grant: its },
    });
    simulator.run();
  };
  const spend = (over: Parameters<typeof aUsage>[0]) => {
    const turnId = simulator.state.openTurnId ?? turnNumber(2);
    simulator.event({ type: 'usage/recorded', turnId, entries: [aUsage(over)] });
    simulator.input({ kind: 'spoke' });
  };
  next(2);
  return { simulator, spend, next };
}
const codes = (simulator: SessionSimulator) =>
  simulator.ofType('notice/raised').map(({ code }) => code);

describe('a turn that was granted a share of a budget', () => {
  test('ends at its grant with a notice, and the session takes the next one', () => {
    const { simulator, spend, next } = granted({ microUsd: 500 });
    spend({ microUsd: 499 });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    spend({ microUsd: 1 });
    spend({ microUsd: 1 });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(codes(simulator)).toEqual(['grant_reached']);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.broughtBack();
    expect(simulator.ofType('session/halted')).toEqual([]);
    next(3);
    spend({ microUsd: 499 });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(simulator.state.held?.turnId).toBe(turnNumber(3));
  });

  test('counts what it is estimated at, and notional dollars where they count', () => {
    const { simulator, spend } = granted({ microUsd: 500 });
    spend({ microUsd: 100, payer: 'subscription' });
    simulator.input({ kind: 'estimate', microUsd: 400 });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
  });

  test('counts no notional dollars where paid ones alone count', () => {
    const { simulator, spend } = granted({ paidMicroUsd: 500 });
    spend({ microUsd: 9_000, payer: 'subscription' });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    spend({ microUsd: 500 });
    expect(countOf(simulator, 'interrupt')).toBe(1);
  });

  test('halts at the session’s own limit all the same', () => {
    const { simulator, spend } = granted({ microUsd: 500 }, 300);
    spend({ microUsd: 300 });
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'budget' }]);
  });

  test('halts a session that worked with a model without a price', () => {
    const { simulator, spend } = granted({ microUsd: 500 });
    spend({ microUsd: null, provenance: 'estimated', model: 'gemini-9' });
    simulator.endTurn();
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.reason).toBe('unpriced_model');
    expect(halted?.message).toContain('the budgets that count it cannot be kept');
  });
});

describe('an engine that tells no cost', () => {
  const untold = {
    microUsd: null,
    provenance: 'unmetered',
    inputTokens: 0,
    outputTokens: 0,
  } as const;
  const both = { microUsd: 500, paidMicroUsd: null };
  const paid = { microUsd: null, paidMicroUsd: 500 };

  test.each([
    ['with dollars', both, 'subscription', 'provider', ['unpriced_model']],
    ['with paid dollars', paid, 'api-key', 'provider', ['unpriced_model']],
    ['with paid dollars, of a subscription', paid, 'subscription', 'provider', []],
    ['behind the gate, which counts it', both, 'api-key', 'gate', []],
    [
      'with time alone',
      { microUsd: null, paidMicroUsd: null, timeMs: 9 },
      'unknown',
      'provider',
      [],
    ],
  ] as const)(
    'halts after a turn with a grant %s as %j of %s through %s',
    (_, grant, payer, through, reasons) => {
      const { simulator, spend } = granted(grant);
      simulator.input({ kind: 'routed', route: { through, reason: null, credential: 'A_KEY' } });
      spend({ ...untold, payer });
      simulator.endTurn();
      const halted = simulator.ofType('session/halted');
      expect(halted.map(({ reason }) => reason)).toEqual(reasons);
      if (reasons.length > 0)
        expect(halted[0]?.message).toContain('tells nothing of what it costs');
    },
  );
});

describe('the model gate', () => {
  const route = { through: 'gate', reason: null, credential: 'A_KEY' } as const;
  const call = {
    at: 1,
    model: 'm',
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    told: true,
  };

  test('is told the lesser of the session’s limit and the turn’s grant, with each turn', () => {
    const { simulator, spend, next } = granted({ microUsd: 500 }, 2_000);
    expect(grantOfSession(simulator.state)).toBe(500);
    simulator.input({ kind: 'routed', route });
    spend({ microUsd: 400 });
    simulator.endTurn();
    simulator.broughtBack();
    const before = countOf(simulator, 'grantModel');
    next(3, { microUsd: 100, paidMicroUsd: null });
    expect(countOf(simulator, 'grantModel')).toBe(before + 1);
    expect(kinds(simulator)).toContain('grantModel');
    expect(grantOfSession(simulator.state)).toBe(100);
  });

  test('that begins no further call for the grant ends the turn and not the session', () => {
    const { simulator } = granted({ microUsd: 500 });
    simulator.input({ kind: 'routed', route });
    const spent = { ...call, refused: null, microUsd: 300 };
    simulator.input({ kind: 'called', entries: [spent], offset: 10 });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    const refused = { ...call, refused: 'too_large' as const, microUsd: 0 };
    simulator.input({ kind: 'called', entries: [refused], offset: 20 });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.ofType('session/halted')).toEqual([]);
    expect(simulator.state.model?.overBudget).toBe(false);
  });

  test('is given the grant of the turn that a process is started for', () => {
    const state = new SessionSimulator(1, aLaunch()).state;
    const [first] = state.queue;
    if (!first) throw new Error('a launch has its first turn in its queue');
    const grant = { microUsd: 70, paidMicroUsd: 90 };
    expect(grantOfSession({ ...state, queue: [{ ...first, grant }] })).toBe(70);
    expect(grantOfSession(state)).toBeNull();
  });
});
