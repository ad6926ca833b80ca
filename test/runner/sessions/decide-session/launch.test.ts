import { describe, expect, test } from 'vitest';
import { CONFIG, SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { instruct, kinds } from '../../../support/session-steps.ts';

describe('a launch', () => {
  test('goes through its stages, and is ready only at the engine’s own word', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    expect(simulator.view.state).toBe('bootstrap_submitted');
    expect(simulator.ofType('launch/staged').map(({ stage }) => stage)).toEqual([
      'spawned',
      'bootstrap_submitted',
    ]);
    simulator.ready();
    expect(simulator.state.phase.kind).toBe('ready');
  });

  test('hands its first instruction along with the handshake, for engines that say nothing before', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    expect(simulator.engineHas).toBe(turnNumber(1));
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
  });

  test('without an instruction and without a handshake has nothing to wait for, and no time runs', () => {
    const simulator = new SessionSimulator(null);
    simulator.prepared();
    simulator.spawning = false;
    simulator.alive = true;
    simulator.input({
      kind: 'spawned',
      process: { pid: 1, argv: ['engine'], directory: '/', environment: [] },
    });
    simulator.input({ kind: 'submitted', lines: 0 });
    expect(simulator.state.phase).toEqual({ kind: 'booting', stage: 'spawned', deadlineAt: null });
    instruct(simulator, 2);
    expect(simulator.state.phase).toMatchObject({
      stage: 'bootstrap_submitted',
      deadlineAt: simulator.now + CONFIG.bootstrapMs,
    });
  });

  test('answers its command once the engine’s process is there', () => {
    const simulator = new SessionSimulator();
    expect(kinds(simulator)).not.toContain('settleStart');
    simulator.prepared();
    simulator.spawned();
    expect(simulator.effects.filter(({ kind }) => kind === 'settleStart')).toMatchObject([
      { refusal: null },
    ]);
  });

  test('that hangs is ended after its time, with where it stood and its last words', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.wake();
    expect(simulator.ofType('launch/failed')).toMatchObject([
      {
        state: 'bootstrap_stalled',
        stage: 'bootstrap_submitted',
        elapsedMs: CONFIG.bootstrapMs,
        stderrTail: ['last words'],
      },
    ]);
    expect(simulator.terminating).toBe(true);
    expect(simulator.deliveries(1)).toEqual(['received', 'handed', 'undelivered']);
  });

  test('is not ended by an old timer once the engine has spoken', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    const late = simulator.now + CONFIG.bootstrapMs;
    simulator.ready();
    simulator.now = late;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.ofType('launch/failed')).toEqual([]);
  });

  test('that was stopped while it was prepared starts nothing', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.prepared();
    expect(simulator.spawning).toBe(false);
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
  });

  test('that was stopped while it was prepared stays stopped when the runner ends meanwhile', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.input({ kind: 'shutdown' });
    simulator.restart();
    simulator.prepared();
    expect(simulator.spawning).toBe(false);
    expect(simulator.view.state).toBe('stopped');
  });

  test('that was stopped while it was spawned ends what came up', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.input({ kind: 'stop' });
    simulator.spawned();
    expect(simulator.engineHas).toBeNull();
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.view.state).toBe('stopped');
  });
});
