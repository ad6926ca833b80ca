import { describe, expect, test } from 'vitest';
import type { ExitFacts } from '../../../runner/sessions/session-io.ts';
import { nextWakeAt } from '../../../runner/sessions/session-state.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { REQUEST, anIdleSession, countOf, instruct } from '../../support/session-steps.ts';

const stop = (simulator: SessionSimulator) => simulator.input({ kind: 'stop' });
const shutdown = (simulator: SessionSimulator) => simulator.input({ kind: 'shutdown' });
const ends = (simulator: SessionSimulator, exit: Partial<ExitFacts>) => {
  simulator.alive = false;
  simulator.terminating = false;
  simulator.engineHas = null;
  simulator.input({
    kind: 'exited',
    exit: { exitCode: null, signal: null, stderrTail: [], ...exit },
  });
};
const booting = () => {
  const simulator = new SessionSimulator();
  simulator.prepared();
  simulator.spawned();
  return simulator;
};
const parked = () => {
  const simulator = anIdleSession(new SessionSimulator());
  simulator.wake();
  simulator.exit(0);
  return simulator;
};

describe('a stop', () => {
  test('of a session that rests ends it at once', () => {
    const simulator = parked();
    stop(simulator);
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'ended' });
  });

  test('of a launch that failed ends it', () => {
    const simulator = booting();
    simulator.wake();
    simulator.exit(0);
    stop(simulator);
    expect(simulator.view.state).toBe('stopped');
  });

  test('of an engine that boots ends the process, without asking it first', () => {
    const simulator = booting();
    stop(simulator);
    expect(simulator.terminating).toBe(true);
    expect(countOf(simulator, 'interrupt')).toBe(0);
  });

  test('of an idle engine ends the process', () => {
    const simulator = anIdleSession(new SessionSimulator());
    stop(simulator);
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ expected: true }]);
  });

  test('of an engine that cannot be interrupted ends the process in mid-turn', () => {
    const capabilities = { ...CONFIG.capabilities, interrupt: false };
    const simulator = new SessionSimulator(1, aLaunch(), { ...CONFIG, capabilities }).run();
    stop(simulator);
    expect(simulator.terminating).toBe(true);
  });

  test('leaves what waited undelivered, and says why', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    stop(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    expect(simulator.deliveries(2).at(-1)).toBe('undelivered');
    expect(simulator.ofType('turn/delivered').at(-1)?.reason).toContain('stopped');
  });

  test('of a process that is ended for its idleness turns that into a stop', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.wake();
    stop(simulator);
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toEqual([]);
    expect(simulator.view.state).toBe('stopped');
  });

  test('during the end of the runner wins over it', () => {
    const simulator = new SessionSimulator().run();
    shutdown(simulator);
    stop(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    expect(simulator.view.state).toBe('stopped');
  });

  test('brings back the commits of the turn that it cut off', () => {
    const simulator = new SessionSimulator().run();
    stop(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.bringing).toBe(true);
  });

  test('of a turn that ends in time needs no force', () => {
    const simulator = new SessionSimulator().run();
    stop(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(countOf(simulator, 'terminate')).toBe(1);
    simulator.now += CONFIG.interruptMs;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(countOf(simulator, 'terminate')).toBe(1);
  });
});

describe('the end of the runner', () => {
  test('interrupts the turn and parks the session', () => {
    const simulator = new SessionSimulator().run();
    shutdown(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
    expect(simulator.ofType('session/ended')).toEqual([]);
  });

  test('leaves a session that rests as it is', () => {
    const simulator = parked();
    simulator.effects.length = 0;
    shutdown(simulator);
    expect(simulator.effects).toEqual([]);
    expect(simulator.state.closing).toBe(true);
  });

  test('while the engine boots keeps its instruction for the next start', () => {
    const simulator = booting();
    shutdown(simulator);
    simulator.exit(0);
    expect(simulator.state.phase).toEqual({ kind: 'resting' });
    expect(simulator.state.queue).toHaveLength(1);
    simulator.restart();
    expect(simulator.spawning).toBe(true);
  });

  test('during a pause between two attempts keeps the pause', () => {
    const simulator = booting();
    simulator.exit(1);
    shutdown(simulator);
    simulator.restart();
    expect(simulator.state.phase.kind).toBe('backoff');
    simulator.wake();
    expect(simulator.spawning).toBe(true);
  });

  test('starts nothing when such a pause is over: nobody would end it', () => {
    const simulator = booting();
    simulator.exit(1);
    shutdown(simulator);
    simulator.now += 60_000;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.spawning).toBe(false);
    expect(nextWakeAt(simulator.state, CONFIG)).toBeNull();
    simulator.restart();
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.spawning).toBe(true);
  });

  test('hands nothing over any more', () => {
    const simulator = parked();
    shutdown(simulator);
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(false);
    expect(simulator.deliveries(2)).toEqual(['received']);
    simulator.restart();
    expect(simulator.spawning).toBe(true);
  });

  test('does not turn a stop into a rest', () => {
    const simulator = new SessionSimulator().run();
    stop(simulator);
    shutdown(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    expect(simulator.view.state).toBe('stopped');
  });
});

describe('a new runner', () => {
  test.each([
    ['is over', () => stoppedSession()],
    ['rests with nothing waiting', parked],
  ])('leaves a session that %s as it is', (_what, make) => {
    const simulator = make();
    const before = simulator.state;
    simulator.effects.length = 0;
    simulator.restart();
    expect(simulator.effects).toEqual([]);
    expect(simulator.state.phase).toEqual(before.phase);
  });

  test('ends an engine that was still booting and that nobody can write to', () => {
    const simulator = booting();
    simulator.restart('unreachable');
    expect(simulator.terminating).toBe(true);
  });

  test('tells a launch that it cut off as failed, and how to go on', () => {
    const simulator = booting();
    simulator.restart('unreachable');
    simulator.exit(null);
    const [failed] = simulator.ofType('launch/failed');
    expect(failed).toMatchObject({ state: 'failed_to_start', error: { code: 'unknown' } });
    expect(failed?.error.message).toContain('Retry');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
  });

  test('parks an engine that is idle and that nobody can write to, without alarm', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.restart('unreachable');
    simulator.exit(null);
    expect(simulator.ofType('notice/raised')).toEqual([]);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
  });

  test('ends what an engine that died meanwhile left behind', () => {
    const simulator = new SessionSimulator().run();
    simulator.alive = false;
    simulator.restart();
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'killed' }]);
  });

  test('goes on ending what was being ended', () => {
    const simulator = new SessionSimulator().run();
    stop(simulator);
    simulator.restart();
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.view.state).toBe('stopped');
  });

  test('keeps a stop that was asked for while the checkout was made', () => {
    const simulator = new SessionSimulator();
    stop(simulator);
    simulator.restart();
    simulator.prepared();
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.spawning).toBe(false);
  });

  test('withdraws an approval that nobody can answer any more', () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    simulator.restart('unreachable');
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    expect(simulator.view.pendingApprovals).toEqual([]);
  });

  test('ended twice is adopted by the third like by the second', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    simulator.restart();
    simulator.endTurn();
    simulator.exit(null);
    expect(simulator.ofType('engine/parked')).toHaveLength(1);
    expect(simulator.ofType('turn/ended')).toHaveLength(1);
  });

  test('takes an instruction for the time after the turn that it cannot reach', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    instruct(simulator, 2);
    expect(simulator.engineHas).toBeNull();
    simulator.endTurn();
    simulator.exit(null);
    simulator.broughtBack();
    simulator.spawned();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });
});

function stoppedSession(): SessionSimulator {
  const simulator = anIdleSession(new SessionSimulator());
  stop(simulator);
  simulator.exit(0);
  return simulator;
}

describe('an exit', () => {
  test('by a signal says which', () => {
    const simulator = booting();
    for (let attempt = 0; attempt < CONFIG.retryDelaysMs.length; attempt++) {
      ends(simulator, { signal: 'SIGSEGV' });
      simulator.wake();
      simulator.spawned();
    }
    ends(simulator, { signal: 'SIGSEGV', stderrTail: ['core dumped'] });
    const [failed] = simulator.ofType('launch/failed');
    expect(failed?.error.message).toContain('was ended by SIGSEGV');
    expect(failed?.stderrTail).toEqual(['core dumped']);
  });

  test('whose status nobody knows says that', () => {
    const simulator = booting();
    for (let attempt = 0; attempt < CONFIG.retryDelaysMs.length; attempt++) {
      ends(simulator, {});
      simulator.wake();
      simulator.spawned();
    }
    ends(simulator, {});
    expect(simulator.ofType('launch/failed')[0]?.error.message).toContain('an unknown code');
  });

  test('tells at most twenty lines of last words', () => {
    const simulator = anIdleSession(new SessionSimulator());
    ends(simulator, { exitCode: 1, stderrTail: Array.from({ length: 30 }, (_, n) => `${n}`) });
    const [exited] = simulator.ofType('engine/exited');
    expect(exited?.stderrTail).toHaveLength(20);
    expect(exited?.stderrTail.at(-1)).toBe('29');
  });

  test('that nobody meant, of an idle engine, leaves the session to be resumed', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.exit(0);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ expected: false }]);
    expect(simulator.view.state).toBe('parked');
    expect(simulator.spawning).toBe(false);
  });

  test('of an engine with an instruction waiting starts another one', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.exit(1);
    expect(simulator.spawning).toBe(true);
  });

  test('is told after the turn that it cut off', () => {
    const simulator = new SessionSimulator().run();
    simulator.exit(1);
    const types = simulator.events.map(({ type }) => type);
    expect(types.indexOf('turn/ended')).toBeLessThan(types.indexOf('engine/exited'));
    expect(types.indexOf('engine/exited')).toBeLessThan(types.indexOf('engine/parked'));
  });
});

describe('an old timer', () => {
  test.each([
    ['while the checkout is made', () => new SessionSimulator()],
    ['while the engine rests', parked],
    ['after the end', stoppedSession],
    ['in mid-turn', () => new SessionSimulator().run()],
  ])('%s wakes nothing', (_when, make) => {
    const simulator = make();
    simulator.effects.length = 0;
    simulator.now += simulator.state.launch.noOutputMs - 1;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.effects).toEqual([]);
  });

  test('of an idle engine that was used meanwhile does not park it', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.now += CONFIG.idleMs - 1;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.terminating).toBe(false);
  });
});
