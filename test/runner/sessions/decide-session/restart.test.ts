import { describe, expect, test } from 'vitest';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { ALLOW, DENY, instruct, REQUEST } from '../../../support/session-steps.ts';

describe('a restart of the runner', () => {
  test('goes on with the same process: the turn ends, and what waited is handed to it', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.restart();
    expect(simulator.state.phase.kind).toBe('ready');
    simulator.endTurn();
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
    expect(simulator.processes).toBe(1);
    expect(simulator.ofType('engine/parked')).toEqual([]);
  });

  test('hands nothing over before it is known what the process has done meanwhile', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.endTurn();
    simulator.bringing = false;
    simulator.state = { ...simulator.state, bringingBack: null };
    simulator.input({ kind: 'adopt', process: 'reachable' });
    expect(simulator.engineHas).toBeNull();
    simulator.input({ kind: 'caughtUp' });
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('leaves an approval open under its id, to be answered once', () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    simulator.restart();
    const { requestId } = REQUEST;
    simulator.input({ kind: 'answer', requestId, answer: ALLOW });
    simulator.restart();
    simulator.input({ kind: 'answer', requestId, answer: ALLOW });
    expect(simulator.refusals).toEqual([]);
    simulator.input({ kind: 'answer', requestId, answer: DENY });
    expect(simulator.refusals).toEqual(['approval_answered']);
    expect(simulator.effects.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  });

  test('gives an engine that was starting its whole time again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.now += 50_000;
    simulator.restart();
    simulator.now += 50_000;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.state.phase.kind).toBe('booting');
    simulator.ready();
    simulator.startTurn();
    expect(simulator.view.state).toBe('working');
  });

  test('while it ends an engine that was starting goes on with the instruction', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.restart('unreachable');
    simulator.restart();
    simulator.exit();
    expect(simulator.spawning).toBe(true);
    simulator.spawned();
    expect(simulator.engineHas).toBe(turnNumber(1));
  });

  test('starts again what may have been started and was given nothing', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.restart();
    expect(simulator.spawning).toBe(true);
    simulator.spawned();
    expect(simulator.engineHas).toBe(turnNumber(1));
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
  });

  test('ends a process that cannot be written to at once, says so, and resumes by the next instruction', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart('unreachable');
    expect(simulator.terminating).toBe(true);
    simulator.exit(143);
    expect(simulator.ofType('notice/raised')).toMatchObject([{ code: 'engine_unreachable' }]);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'killed' }]);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
    expect(simulator.view.state).toBe('parked');
    simulator.broughtBack();
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('reports what a restart of the machine cut off, and resumes by the next instruction', () => {
    const simulator = new SessionSimulator().run();
    simulator.alive = false;
    simulator.restart();
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ expected: false }]);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
    simulator.broughtBack();
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('makes an instruction that was handed and not confirmed unknown when the process is gone, and does not send it again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.ready();
    simulator.alive = false;
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
