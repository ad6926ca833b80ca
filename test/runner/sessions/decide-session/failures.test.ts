import { describe, expect, test } from 'vitest';
import { CONFIG, SessionSimulator } from '../../../support/session-simulator.ts';
import { instruct } from '../../../support/session-steps.ts';

describe('an engine that fails', () => {
  test('before it is ready is started again after a pause, with the instruction still waiting', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.exit(1);
    expect(simulator.state.phase).toEqual({ kind: 'backoff', untilMs: simulator.now + 1_000 });
    expect(simulator.state.queue).toHaveLength(1);
    simulator.wake();
    expect(simulator.spawning).toBe(true);
  });

  test('again and again is given up, and the reason is told', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    for (let attempt = 0; attempt <= CONFIG.retryDelaysMs.length; attempt++) {
      simulator.spawned();
      simulator.exit(3);
      simulator.wake();
    }
    const [failed] = simulator.ofType('launch/failed');
    expect(failed).toMatchObject({ state: 'failed_to_start', error: { code: 'engine_crashed' } });
    expect(failed?.error.message).toContain('exited with 3');
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
  });

  test('for want of a login ends the launch at once, before the turn that it was in', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'fatal', error: { code: 'auth_missing', message: 'not logged in' } });
    simulator.endTurn({
      outcome: 'failed',
      error: { code: 'auth_missing', message: 'not logged in' },
    });
    simulator.exit(1);
    expect(simulator.view.state).toBe('provider_failed');
    expect(simulator.view.turns).toHaveLength(1);
  });

  test('for want of a login after it has worked keeps its conversation', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.startTurn();
    simulator.input({ kind: 'fatal', error: { code: 'auth_expired', message: 'expired' } });
    simulator.endTurn({ outcome: 'failed' });
    simulator.exit(1);
    expect(simulator.view.state).toBe('parked');
    expect(simulator.ofType('launch/failed')).toEqual([]);
  });

  test('with a reason before it was ready, as for a conversation that it does not find, is not tried again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.startTurn();
    simulator.endTurn({
      outcome: 'failed',
      error: { code: 'unknown', message: 'No conversation found' },
    });
    simulator.exit(1);
    expect(simulator.ofType('launch/failed')).toMatchObject([
      { error: { message: 'No conversation found' } },
    ]);
    expect(simulator.view.state).toBe('provider_failed');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
  });

  test('in mid-turn leaves the session parked, to go on with the next instruction', () => {
    const simulator = new SessionSimulator().run();
    simulator.exit(139);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'killed', usage: 'unsettled' },
    ]);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ exitCode: 139, expected: false }]);
    expect(simulator.view.state).toBe('parked');
    simulator.broughtBack();
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('right after an instruction was written, without a word, did not have it: it is tried again', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.exit(1);
    expect(simulator.spawning).toBe(true);
    simulator.spawned();
    expect(simulator.deliveries(2)).toEqual(['received', 'handed', 'handed']);
  });

  test('after it spoke, with the instruction unconfirmed, leaves it unknown and unsent', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.input({ kind: 'spoke' });
    simulator.exit(1);
    expect(simulator.deliveries(2).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });

  test('and leaves a turn open without a word about it has it ended as unknown', () => {
    const simulator = new SessionSimulator().run();
    simulator.engineTurn = null;
    simulator.exit(1);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'unknown', usage: 'unsettled' },
    ]);
  });
});
