import { describe, expect, test } from 'vitest';
import type { Ending, ParkReason } from '../../../runner/sessions/session-state.ts';
import { ONE_SHOT, SessionSimulator } from '../../support/session-simulator.ts';
import { anIdleSession, instruct } from '../../support/session-steps.ts';

/** Every reason for which a process is ended by us: a new one has to be entered here. */
const PARKS = {
  idle: true,
  spool_full: true,
  runner_restarted: true,
  no_output: true,
  taken_over: true,
  compacted: true,
  restarted: true,
} satisfies Record<ParkReason, true>;
const parks = (Object.keys(PARKS) as ParkReason[]).map(
  (reason) => ({ why: 'park', reason }) as const,
);
const OTHERS = {
  stop: { why: 'stop' },
  fail: { why: 'fail' },
  halt: { why: 'halt' },
  turn: { why: 'turn' },
  silent: { why: 'silent' },
  flood: { why: 'flood' },
} as const satisfies Record<Exclude<Ending['why'], 'park'>, Ending>;
const ENDINGS: readonly Ending[] = [...Object.values(OTHERS), ...parks];
const named = ENDINGS.map((ending) => [JSON.stringify(ending), ending] as const);

/** An engine of many turns that was handed its second instruction and has not said a word since. */
function handed(): SessionSimulator {
  const simulator = anIdleSession(new SessionSimulator());
  instruct(simulator, 2);
  return simulator;
}

/** An engine of one turn that was started with its first instruction and has not said a word. */
function started(): SessionSimulator {
  const simulator = new SessionSimulator(1, undefined, ONE_SHOT);
  simulator.prepared();
  simulator.spawned();
  return simulator;
}

function endBy(simulator: SessionSimulator, ending: Ending | null, signal: string | null): void {
  if (ending) simulator.state = { ...simulator.state, phase: { kind: 'ending', ending } };
  simulator.alive = false;
  simulator.engineHas = null;
  const exitCode = signal === null ? 1 : null;
  simulator.input({ kind: 'exited', exit: { exitCode, signal, stderrTail: [] } });
}

/** What was told of a turn, and which turn an engine has that is started next. */
function told(simulator: SessionSimulator, turn: number) {
  if (simulator.spawning) simulator.spawned();
  return { deliveries: simulator.deliveries(turn), has: simulator.engineHas };
}
const UNKNOWN = { deliveries: ['received', 'handed', 'unknown'], has: null };

describe('an instruction that was handed over and not confirmed', () => {
  test.each(named)('is unknown once a ready engine is ended by %s', (_, ending) => {
    const simulator = handed();
    endBy(simulator, ending, 'SIGTERM');
    expect(told(simulator, 2)).toEqual(UNKNOWN);
  });

  test.each(named)('is unknown once an engine of one turn is ended by %s', (_, ending) => {
    const simulator = started();
    endBy(simulator, ending, 'SIGTERM');
    expect(told(simulator, 1)).toEqual(UNKNOWN);
  });

  test('is unknown where something else killed the engine at work', () => {
    const ready = handed();
    endBy(ready, null, 'SIGKILL');
    expect(told(ready, 2)).toEqual(UNKNOWN);
    const oneShot = started();
    endBy(oneShot, null, 'SIGKILL');
    expect(told(oneShot, 1)).toEqual(UNKNOWN);
    expect(oneShot.ofType('launch/failed')).toMatchObject([
      { error: { message: expect.stringContaining('Look at what it may have done') } },
    ]);
  });

  test('is unknown where an engine of one turn said nothing for as long as a start may take', () => {
    const simulator = started();
    simulator.wake();
    expect(simulator.view.state).toBe('bootstrap_stalled');
    expect(simulator.deliveries(1)).toEqual(['received', 'handed', 'unknown']);
  });

  test('is unknown where the engine filled its output before it was ready', () => {
    const simulator = started();
    simulator.input({ kind: 'spoolGrew', bytes: simulator.config.spool.turnBytes + 1 });
    expect(simulator.deliveries(1)).toEqual(['received', 'handed', 'unknown']);
  });

  test('is handed again where an engine ended by itself and without a word', () => {
    const simulator = handed();
    endBy(simulator, null, null);
    simulator.spawned();
    expect(simulator.deliveries(2)).toEqual(['received', 'handed', 'handed']);
  });

  test('waits for the next runner where an engine of many turns is ended before its first word', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.input({ kind: 'shutdown' });
    simulator.exit(0);
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
    expect(simulator.state.queue).toHaveLength(1);
  });
});
