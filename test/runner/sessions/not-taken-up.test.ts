import { describe, expect, test } from 'vitest';
import type { RequestId } from '../../../protocol/ids.ts';
import { SessionSimulator } from '../../support/session-simulator.ts';

/** A session at work of which an earlier runner said that it could not take it up. */
function untaken(asking: SessionSimulator['state']['asking'] = null): SessionSimulator {
  const simulator = new SessionSimulator().run();
  simulator.event({
    type: 'engine/blocked',
    why: 'not_taken_up',
    excerpt: 'disk is gone',
    message: 'Put it right.',
  });
  simulator.state = { ...simulator.state, notTakenUp: true, asking };
  return simulator;
}

describe('a session that a runner could not take up', () => {
  test('is seen as blocked, with the reason, and may be told something', () => {
    const { view } = untaken();
    expect(view).toMatchObject({
      state: 'blocked',
      reason: 'Put it right.',
      blocked: { excerpt: 'disk is gone' },
    });
  });

  test('goes on in its turn once a runner can, and is seen at work again', () => {
    const simulator = untaken();
    simulator.restart();
    expect(simulator.view).toMatchObject({ state: 'working', blocked: null, reason: null });
    expect(simulator.state.notTakenUp).toBe(false);
    simulator.endTurn();
    expect(simulator.view.state).toBe('idle');
  });

  test('whose engine idled is idle again', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    const blocked = {
      type: 'engine/blocked',
      why: 'not_taken_up',
      excerpt: '',
      message: '',
    } as const;
    simulator.event(blocked);
    expect(simulator.view.state).toBe('blocked');
    simulator.state = { ...simulator.state, notTakenUp: true };
    simulator.restart();
    expect(simulator.view.state).toBe('idle');
  });

  test('whose engine is gone meanwhile tells its turn as cut off', () => {
    const simulator = untaken();
    simulator.alive = false;
    simulator.restart();
    simulator.exit(null);
    expect(simulator.view).toMatchObject({ state: 'parked', blocked: null });
    expect(simulator.ofType('turn/ended')).toMatchObject([{ usage: 'unsettled' }]);
  });

  test('is not told as free by a runner after one that could', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    expect(simulator.ofType('engine/unblocked')).toEqual([]);
  });

  test('asks again what its engine asked outside its protocol, which blocks it for itself', () => {
    const simulator = untaken({ at: 'read', requestId: null });
    simulator.restart();
    expect(simulator.state.asking).toBeNull();
  });

  test('keeps a prompt that may be answered, because its request still stands', () => {
    const asking = { at: 'read', requestId: 'req_1' as RequestId };
    const simulator = untaken(asking);
    simulator.restart();
    expect(simulator.state.asking).toEqual(asking);
  });
});
