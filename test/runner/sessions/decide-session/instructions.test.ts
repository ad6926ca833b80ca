import { describe, expect, test } from 'vitest';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { instruct } from '../../../support/session-steps.ts';

describe('instructions', () => {
  test('wait for the turn to end and for its commits to be brought back', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.endTurn();
    expect(simulator.engineHas).toBeNull();
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('wait for a turn that the engine began by itself', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.event({ type: 'turn/started', turnId: turnNumber(9), origin: 'engine' });
    instruct(simulator, 2);
    expect(simulator.engineHas).toBeNull();
  });

  test('that come again change nothing', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    instruct(simulator, 2);
    instruct(simulator, 1);
    expect(simulator.state.queue).toHaveLength(1);
    expect(simulator.refusals).toEqual([]);
  });

  test('to a session that is stopped or that failed are refused by name', () => {
    const stopped = new SessionSimulator().run();
    stopped.input({ kind: 'stop' });
    instruct(stopped, 2);
    stopped.exit(0);
    instruct(stopped, 3);
    expect(stopped.refusals).toEqual(['session_ended', 'session_ended']);
    const failed = new SessionSimulator();
    failed.prepared();
    failed.spawned();
    failed.wake();
    instruct(failed, 2);
    failed.exit(0);
    instruct(failed, 3);
    expect(failed.refusals).toEqual(['session_not_ready', 'session_not_ready']);
  });
});
