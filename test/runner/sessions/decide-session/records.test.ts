import { describe, expect, test } from 'vitest';
import { aLaunch } from '../../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator } from '../../../support/session-simulator.ts';
import { instruct } from '../../../support/session-steps.ts';

describe('the records of the first completed turn', () => {
  test('must be there', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn({ usage: 'none' });
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'missing_records' }]);
  });

  test('are not asked of a turn that failed', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn({ outcome: 'failed', usage: 'none' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('are not asked of an engine that never promised them', () => {
    const capabilities = { ...CONFIG.capabilities, usage: 'none', acts: 'none' } as const;
    const simulator = new SessionSimulator(1, aLaunch(), { ...CONFIG, capabilities }).run();
    simulator.endTurn({ usage: 'unobservable', acts: 'unobservable' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('are asked once: a later turn without figures is shown as that', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.startTurn();
    simulator.endTurn({ usage: 'none' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });
});
