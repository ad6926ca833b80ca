import { describe, expect, test } from 'vitest';
import { aLaunch } from '../../support/protocol-builders.ts';
import { ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { countOf, instruct, kinds } from '../../support/session-steps.ts';

const aSession = (first: number | null = 1, launch = aLaunch()) =>
  new SessionSimulator(first, launch, ONE_SHOT);

/** Its first turn is over, its process gone and its commits brought back. */
const atRest = (): SessionSimulator => {
  const simulator = aSession().run();
  simulator.endTurn();
  simulator.exit(0);
  simulator.broughtBack();
  return simulator;
};

describe('a session of a one-shot engine', () => {
  test('starts a process with its instruction, which is recorded as handed over before', () => {
    const simulator = aSession();
    simulator.prepared();
    expect(simulator.effects.at(-1)).toEqual({
      kind: 'spawn',
      turn: { turnId: turnNumber(1), text: 'go' },
    });
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
    simulator.spawned();
    expect(kinds(simulator)).not.toContain('hand');
  });

  test('is idle between two turns without a process, and costs nothing', () => {
    const simulator = atRest();
    expect(simulator.state.phase).toEqual({ kind: 'resting' });
    expect(simulator.view.state).toBe('idle');
    expect(simulator.ofType('engine/exited')).toMatchObject([{ exitCode: 0, expected: true }]);
    expect(simulator.ofType('engine/parked')).toEqual([]);
  });

  test('lets instructions wait for the process to end and for its commits, one process at a time', () => {
    const simulator = aSession().run();
    instruct(simulator, 2);
    simulator.endTurn();
    expect(countOf(simulator, 'spawn')).toBe(1);
    simulator.exit(0);
    expect(countOf(simulator, 'spawn')).toBe(1);
    simulator.broughtBack();
    expect(countOf(simulator, 'spawn')).toBe(2);
    simulator.spawned();
    simulator.ready();
    simulator.startTurn();
    expect(simulator.view.state).toBe('working');
    expect(simulator.state).toMatchObject({ conversationBegun: true });
  });

  test('waits without a process when it is launched without an instruction', () => {
    const simulator = aSession(null);
    simulator.prepared();
    expect(countOf(simulator, 'spawn')).toBe(0);
    expect(simulator.view.state).toBe('parked');
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('whose process for a later turn cannot be started is told as failed, and not shown idle', () => {
    const simulator = atRest();
    instruct(simulator, 2);
    for (let attempt = 0; attempt < 3; attempt++) {
      simulator.spawning = false;
      simulator.engineHas = null;
      simulator.input({ kind: 'spawnFailed', message: 'no memory' });
      simulator.wake();
    }
    expect(simulator.deliveries(2).at(-1)).toBe('undelivered');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
    expect(simulator.view).toMatchObject({ state: 'failed_to_start', reason: 'no memory' });
  });

  test('stays usable when a turn fails, with the exit code and the last words kept', () => {
    const simulator = aSession().run();
    simulator.endTurn({ outcome: 'failed', error: { code: 'overloaded', message: 'busy' } });
    simulator.input({
      kind: 'exited',
      exit: { exitCode: 1, signal: null, stderrTail: ['last words'] },
    });
    expect(simulator.view.state).toBe('idle');
    expect(simulator.ofType('engine/exited')).toMatchObject([
      { exitCode: 1, stderrTail: ['last words'] },
    ]);
  });

  test('that was refused by its provider after it had worked stays usable', () => {
    const simulator = atRest();
    instruct(simulator, 2);
    simulator.spawned();
    simulator.ready();
    simulator.startTurn();
    simulator.input({ kind: 'fatal', error: { code: 'auth_expired', message: 'expired' } });
    expect(simulator.terminating).toBe(true);
    simulator.endTurn({ outcome: 'failed' });
    simulator.exit(1);
    expect(simulator.ofType('launch/failed')).toEqual([]);
    expect(simulator.view.state).toBe('idle');
  });

  test('is interrupted by its own way, then by force, and takes the next instruction', () => {
    const simulator = aSession().run();
    simulator.input({ kind: 'interrupt' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(simulator.terminating).toBe(false);
    simulator.wake();
    expect(simulator.terminating).toBe(true);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(null);
    simulator.broughtBack();
    expect(simulator.view.state).toBe('idle');
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('is stopped in mid-turn', () => {
    const simulator = aSession().run();
    simulator.input({ kind: 'stop' });
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(1);
    expect(simulator.view.state).toBe('stopped');
  });
});

describe('a runner that comes back to a one-shot engine', () => {
  test('reads on and changes nothing while it works: the turn ends as if nothing had been', () => {
    const simulator = aSession().run();
    simulator.restart();
    expect(simulator.terminating).toBe(false);
    expect(simulator.state.phase.kind).toBe('ready');
    simulator.endTurn();
    simulator.exit(0);
    expect(simulator.view.state).toBe('idle');
    expect(simulator.ofType('engine/parked')).toEqual([]);
  });

  test('can still interrupt it', () => {
    const simulator = aSession().run();
    simulator.restart();
    simulator.input({ kind: 'interrupt' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
  });

  test('lets one that has only begun to start go on', () => {
    const simulator = aSession();
    simulator.prepared();
    simulator.spawned();
    simulator.restart();
    expect(simulator.terminating).toBe(false);
    simulator.ready();
    simulator.startTurn();
    expect(simulator.view.state).toBe('working');
  });

  test('clears up after one that ended meanwhile', () => {
    const simulator = aSession().run();
    simulator.alive = false;
    simulator.restart();
    expect(simulator.terminating).toBe(true);
  });

  test('tells a launch as failed whose process began to start and died with the runner', () => {
    const simulator = aSession();
    simulator.prepared();
    simulator.spawned();
    simulator.alive = false;
    simulator.restart();
    simulator.exit(null);
    expect(simulator.deliveries(1).at(-1)).toBe('unknown');
    expect(simulator.view.state).toBe('failed_to_start');
  });

  test('tells a later turn as failed whose process it never saw', () => {
    const simulator = atRest();
    instruct(simulator, 2);
    simulator.restart('unreachable');
    simulator.exit(null);
    expect(simulator.deliveries(2).at(-1)).toBe('unknown');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
    expect(simulator.view.state).toBe('failed_to_start');
  });

  test('does not know what became of an instruction whose process it never saw', () => {
    const simulator = aSession();
    simulator.prepared();
    simulator.restart();
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.deliveries(1).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });
});

describe.each([
  ['one-shot', ONE_SHOT, 'idle'],
  ['persistent', undefined, 'parked'],
] as const)('silence of a %s engine', (_form, config, after) => {
  const limited = () => new SessionSimulator(1, aLaunch({ noOutputMs: 60_000 }), config).run();

  test('is nobody’s business below its limit, however often it speaks', () => {
    const simulator = limited();
    for (let round = 0; round < 20; round++) {
      simulator.now += 59_000;
      simulator.input({ kind: 'wake', stderrTail: [] });
      simulator.input({ kind: 'spoke' });
    }
    expect(countOf(simulator, 'interrupt')).toBe(0);
    expect(simulator.terminating).toBe(false);
  });

  test('ends the turn at its limit, and says so', () => {
    const simulator = limited();
    simulator.wake();
    expect(countOf(simulator, 'interrupt')).toBe(1);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(1);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'killed', error: { code: 'no_output' } },
    ]);
    expect(simulator.ofType('turn/ended')[0]?.error?.message).toContain('60 s');
    expect(simulator.view.state).toBe(after);
  });
});
