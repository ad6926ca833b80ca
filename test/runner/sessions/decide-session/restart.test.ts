import { describe, expect, test } from 'vitest';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { instruct } from '../../../support/session-steps.ts';

describe('a restart of the runner', () => {
  test('lets a turn under way finish, and parks the session after it', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    expect(simulator.state.phase.kind).toBe('orphaned');
    expect(simulator.terminating).toBe(false);
    simulator.endTurn();
    simulator.exit(null);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'ok' }]);
  });

  test('bounds how long that may take', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    simulator.wake();
    expect(simulator.terminating).toBe(true);
  });

  test('makes an instruction that was handed and not confirmed unknown, and does not send it again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.ready();
    simulator.restart();
    simulator.exit(null);
    expect(simulator.deliveries(1).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });

  test('prepares again what was being prepared', () => {
    const simulator = new SessionSimulator();
    simulator.restart();
    simulator.prepared();
    expect(simulator.spawning).toBe(true);
  });

  test('keeps what waited through a stop of the runner, and begins nothing new before it', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.input({ kind: 'shutdown' });
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    simulator.broughtBack();
    expect(simulator.spawning).toBe(false);
    simulator.restart();
    simulator.broughtBack();
    expect(simulator.spawning).toBe(true);
  });

  test('brings back the commits of a turn whose end was the last thing stored', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.effects.length = 0;
    simulator.restart();
    expect(simulator.effects).toContainEqual({ kind: 'bringBack', turnId: turnNumber(1) });
  });
});
