import { describe, expect, test } from 'vitest';
import type { SessionConfig } from '../../../../runner/sessions/session-state.ts';
import { actSeen, broughtBack } from '../../../support/feed-events.ts';
import { toolStarted } from '../../../support/transcript-events.ts';
import { aLaunch } from '../../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
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

  test('must be whole: acts that the engine says it could not see halt', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn({ acts: 'unobservable' });
    expect(simulator.ofType('session/halted')).toMatchObject([
      { reason: 'missing_records', message: expect.stringContaining('what it did') },
    ]);
  });
});

describe('a conversation that was begun by hand', () => {
  const byHand = () =>
    new SessionSimulator(1, aLaunch({ conversation: 'c-1', checkout: 'inPlace' })).run();
  const nextTurn = (simulator: SessionSimulator) => {
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.startTurn();
  };

  test('may owe the share of its first turn in the total, and proves it with the next one', () => {
    const simulator = byHand();
    simulator.endTurn({ usage: 'unsettled' });
    expect(simulator.ofType('session/halted')).toEqual([]);
    expect(simulator.state.recordsProven).toBe(false);
    nextTurn(simulator);
    simulator.endTurn();
    expect(simulator.state.recordsProven).toBe(true);
  });

  test('is halted by the second, with how to go on from its record', () => {
    const simulator = byHand();
    simulator.endTurn({ usage: 'unsettled' });
    nextTurn(simulator);
    simulator.endTurn({ usage: 'unsettled' });
    expect(simulator.ofType('session/halted')).toMatchObject([
      { reason: 'missing_records', message: expect.stringContaining('launch --from') },
    ]);
  });

  test.each([
    ['without any figure', { usage: 'none' }],
    ['with acts that nobody saw', { usage: 'unsettled', acts: 'unobservable' }],
  ] as const)('is halted by a first turn %s', (_, records) => {
    const simulator = byHand();
    simulator.endTurn(records);
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'missing_records' }]);
  });
});

describe('acts of the first completed turn', () => {
  const after = (
    told: boolean,
    commits: number,
    config: SessionConfig = CONFIG,
  ): SessionSimulator => {
    const simulator = new SessionSimulator(1, aLaunch(), config).run();
    if (told) simulator.event(toolStarted({ turnId: turnNumber(1) }));
    simulator.endTurn();
    simulator.input({
      kind: 'broughtBack',
      events: [broughtBack({ turnId: turnNumber(1), commits })],
    });
    return simulator;
  };

  test('that git shows and the engine told nothing of halt the session', () => {
    const simulator = after(false, 2);
    expect(simulator.ofType('session/halted')).toMatchObject([
      { reason: 'missing_records', message: expect.stringContaining('what it did') },
    ]);
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_halted']);
  });

  test('that another witness saw halt it as well', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    const events = [actSeen(turnNumber(1), { witness: 'git' })];
    simulator.input({ kind: 'broughtBack', events });
    expect(simulator.ofType('session/halted')).toHaveLength(1);
  });

  test.each([
    ['told', true, 2],
    ['absent', false, 0],
  ])('that are %s do not', (_, told, commits) => {
    const simulator = after(told, commits);
    expect(simulator.ofType('session/halted')).toEqual([]);
    instruct(simulator, 2);
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('are asked of no engine that never promised them', () => {
    const capabilities = { ...CONFIG.capabilities, acts: 'none' } as const;
    expect(after(false, 2, { ...CONFIG, capabilities }).ofType('session/halted')).toEqual([]);
  });
});
