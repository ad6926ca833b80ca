import { describe, expect, test } from 'vitest';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { instruct, kinds } from '../../../support/session-steps.ts';

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
    expect(halted?.message).toContain('the least that it cost');
  });

  test('does not count a rehearsal, nor what has no price', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 9_000, provenance: 'rehearsal' });
    spend(simulator, { microUsd: null });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
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
});
