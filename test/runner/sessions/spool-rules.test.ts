import { describe, expect, test } from 'vitest';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { anIdleSession, countOf, instruct } from '../../support/session-steps.ts';

const { parkBytes, turnBytes, endBytes, keptChars } = CONFIG.spool;
const grow = (simulator: SessionSimulator, bytes: number) =>
  simulator.input({ kind: 'spoolGrew', bytes });
const kills = (simulator: SessionSimulator) =>
  simulator.effects.filter((effect) => effect.kind === 'terminate' && effect.atOnce).length;

describe('a full output file', () => {
  test('while an instruction is on its way is left for later', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    grow(simulator, parkBytes + 1);
    expect(simulator.terminating).toBe(false);
  });

  test('parks the engine, and the next instruction gets a new one', () => {
    const simulator = anIdleSession(new SessionSimulator());
    grow(simulator, parkBytes + 1);
    instruct(simulator, 2);
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'spool_full' }]);
    expect(simulator.spawning).toBe(true);
  });
});

describe('a turn that writes without end', () => {
  test('is asked to end by the engine’s own way, once, and says why', () => {
    const simulator = new SessionSimulator().run();
    grow(simulator, turnBytes);
    expect(countOf(simulator, 'interrupt')).toBe(0);
    grow(simulator, turnBytes + 1);
    grow(simulator, turnBytes + 2);
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(simulator.terminating).toBe(false);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'killed', error: { code: 'output_too_large' } },
    ]);
    expect(simulator.ofType('notice/raised')).toMatchObject([{ code: 'output_too_large' }]);
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'spool_full' }]);
  });

  test('that does not end in time is ended with its process', () => {
    const simulator = new SessionSimulator().run();
    grow(simulator, turnBytes + 1);
    simulator.wake();
    expect(simulator.terminating).toBe(true);
    expect(kills(simulator)).toBe(0);
  });

  test('and goes on while it is asked to end is killed at the last bound', () => {
    const simulator = new SessionSimulator().run();
    grow(simulator, turnBytes + 1);
    grow(simulator, endBytes + 1);
    expect(kills(simulator)).toBe(1);
    simulator.exit(null);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ error: { code: 'output_too_large' } }]);
  });

  test('faster than anybody looks is killed at the first look', () => {
    const simulator = new SessionSimulator().run();
    grow(simulator, endBytes + 1);
    expect(kills(simulator)).toBe(1);
  });

  test('after a person’s stop stays stopped, and is killed at the last bound', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    grow(simulator, turnBytes + 1);
    expect(simulator.ofType('notice/raised')).toEqual([]);
    grow(simulator, endBytes + 1);
    expect(kills(simulator)).toBe(1);
    simulator.exit(null);
    expect(simulator.ofType('session/ended')).toMatchObject([{ end: 'stopped' }]);
  });

  test('leaves what waits behind it to a new process', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    grow(simulator, turnBytes + 1);
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.broughtBack();
    simulator.exit(0);
    simulator.spawned();
    simulator.ready();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('of an engine with one turn per process ends the turn alone', () => {
    const simulator = new SessionSimulator(1, aLaunch(), ONE_SHOT).run();
    grow(simulator, turnBytes + 1);
    simulator.exit(null);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ error: { code: 'output_too_large' } }]);
    expect(simulator.state.phase.kind).toBe('resting');
  });

  test('before the engine was ready fails the launch by that name', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    grow(simulator, turnBytes + 1);
    expect(simulator.ofType('launch/failed')).toMatchObject([
      { error: { code: 'output_too_large' } },
    ]);
    simulator.exit(null);
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
  });

  test('left by an earlier runner is ended', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    grow(simulator, turnBytes + 1);
    expect(simulator.state.phase.kind).toBe('interrupting');
    simulator.wake();
    expect(simulator.terminating).toBe(true);
  });
});

describe('an engine that ends nothing of what it begins', () => {
  const keep = (simulator: SessionSimulator, chars: number) =>
    simulator.input({ kind: 'keptGrew', chars });

  test('is asked to end by its own way, once, and says why', () => {
    const simulator = new SessionSimulator().run();
    keep(simulator, keptChars);
    expect(countOf(simulator, 'interrupt')).toBe(0);
    keep(simulator, keptChars + 1);
    keep(simulator, keptChars + 2);
    expect(countOf(simulator, 'interrupt')).toBe(1);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'killed', error: { message: expect.stringContaining('8 million characters') } },
    ]);
    instruct(simulator, 2);
    simulator.exit(0);
    simulator.broughtBack();
    expect(simulator.spawning).toBe(true);
  });
});
