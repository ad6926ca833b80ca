import { describe, expect, test } from 'vitest';
import { CONFIG, SessionSimulator } from '../../../support/session-simulator.ts';
import { instruct, kinds } from '../../../support/session-steps.ts';

describe('the end', () => {
  test('of a session in mid-turn is asked for by protocol first, and forced after its time', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    expect(kinds(simulator)).toContain('interrupt');
    expect(simulator.terminating).toBe(false);
    simulator.wake();
    expect(simulator.terminating).toBe(true);
  });

  test('comes as soon as the interrupted turn has ended', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ expected: true }]);
    expect(simulator.ofType('session/ended')).toMatchObject([{ end: 'stopped' }]);
  });

  test('of a stopped session cannot come twice', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    simulator.input({ kind: 'stop' });
    expect(simulator.refusals).toEqual(['session_ended']);
    expect(simulator.ofType('session/ended')).toHaveLength(1);
  });

  test('of an idle engine comes after its idle time, and the conversation stays', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.wake();
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'idle' }]);
    instruct(simulator, 2);
    simulator.spawned();
    expect(simulator.state).toMatchObject({
      engineSessionId: 'conversation',
      conversationBegun: true,
    });
    expect(simulator.state.launchId).not.toBe('lau_one');
  });

  test('of a process whose output file is full comes between two turns only', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'spoolGrew', bytes: CONFIG.spool.parkBytes + 1 });
    expect(simulator.terminating).toBe(false);
    simulator.endTurn();
    simulator.input({ kind: 'spoolGrew', bytes: CONFIG.spool.parkBytes + 1 });
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'spool_full' }]);
  });
});
