import { describe, expect, test } from 'vitest';
import { aLaunch, aUsage } from '../../support/protocol-builders.ts';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { countOf, instruct } from '../../support/session-steps.ts';

const without = (over: Partial<typeof CONFIG.capabilities>) => ({
  ...CONFIG,
  capabilities: { ...CONFIG.capabilities, ...over },
});

const fallSilent = (simulator: SessionSimulator): void => {
  simulator.now += simulator.state.launch.noOutputMs;
  simulator.input({ kind: 'wake', stderrTail: [] });
};

describe('a halt', () => {
  const spent = (config = CONFIG) => {
    const simulator = new SessionSimulator(1, aLaunch({ budgetMicroUsd: 500 }), config).run();
    simulator.event({
      type: 'usage/recorded',
      turnId: turnNumber(1),
      entries: [aUsage({ microUsd: 500 })],
    });
    return simulator;
  };

  test('says in dollars what was spent of what', () => {
    const simulator = new SessionSimulator(1, aLaunch({ budgetMicroUsd: 2_000_000 })).run();
    simulator.event({
      type: 'usage/recorded',
      turnId: turnNumber(1),
      entries: [aUsage({ microUsd: 2_345_678 })],
    });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')[0]?.message).toContain('$2.35 of its limit of $2.00');
  });

  test('leaves what waited undelivered, with the reason', () => {
    const simulator = spent();
    instruct(simulator, 2);
    simulator.endTurn();
    expect(simulator.deliveries(2)).toEqual(['received', 'undelivered']);
    expect(simulator.state.queue).toEqual([]);
  });

  test.each([
    [
      'was asked to end for its cost',
      ONE_SHOT,
      (one: SessionSimulator) => one.input({ kind: 'spoke' }),
    ],
    ['fell silent', CONFIG, fallSilent],
    [
      'was cut off by the end of the runner',
      CONFIG,
      (one: SessionSimulator) => one.input({ kind: 'shutdown' }),
    ],
  ])('comes after a turn that %s, so that no other one begins', (_how, config, cutOff) => {
    const simulator = spent(config);
    instruct(simulator, 2);
    cutOff(simulator);
    expect(simulator.state.phase.kind).toBe('interrupting');
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    simulator.broughtBack();
    simulator.restart();
    expect(simulator.view.state).toBe('halted');
    expect(simulator.deliveries(2)).toEqual(['received', 'undelivered']);
    expect(countOf(simulator, 'spawn')).toBe(1);
  });

  test('of a session that a person stopped is not said: it is over', () => {
    const simulator = spent();
    simulator.input({ kind: 'stop' });
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    expect(simulator.ofType('session/halted')).toEqual([]);
    expect(simulator.view.state).toBe('stopped');
  });

  test('still has the commits of its last turn brought back', () => {
    const simulator = spent();
    simulator.endTurn();
    expect(simulator.bringing).toBe(true);
  });

  test('can be stopped, and can then be launched again', () => {
    const simulator = spent();
    simulator.endTurn();
    simulator.exit(0);
    simulator.input({ kind: 'stop' });
    expect(simulator.view.state).toBe('stopped');
  });

  test('is what a viewer sees even when the engine still ends a turn of its own', () => {
    const simulator = spent();
    simulator.endTurn({ usage: 'recorded' });
    simulator.event({ type: 'turn/started', turnId: turnNumber(8), origin: 'engine' });
    simulator.engineTurn = turnNumber(8);
    simulator.exit(0);
    expect(simulator.view.state).toBe('halted');
    expect(simulator.state.phase).toEqual({ kind: 'resting' });
  });

  test('is not said again at the next start of the runner', () => {
    const simulator = spent();
    simulator.endTurn();
    simulator.exit(0);
    simulator.restart();
    expect(simulator.ofType('session/halted')).toHaveLength(1);
    expect(simulator.spawning).toBe(false);
  });

  test('of an engine that knows no interrupt waits for the end of the turn', () => {
    const config = without({ interrupt: false });
    const simulator = new SessionSimulator(1, aLaunch({ budgetMicroUsd: 1 }), config).run();
    simulator.event({ type: 'usage/recorded', turnId: turnNumber(1), entries: [aUsage()] });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toHaveLength(1);
  });
});
