import { describe, expect, test } from 'vitest';
import { sessionId, turnId } from '../../../protocol/ids.ts';
import type { EarlierWork } from '../../../protocol/story.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { instruct } from '../../support/session-steps.ts';

const from: EarlierWork = {
  sessionId: sessionId.parse('ses_before'),
  branch: null,
  story: [
    {
      turnId: turnId.parse('trn_before'),
      asked: 'count the masts',
      answer: 'Three.',
      acts: [],
      outcome: 'ok',
    },
  ],
};
/** The words that the engine was handed for each turn, by effect. */
const handed = (simulator: SessionSimulator): string[] =>
  simulator.effects.flatMap((effect) => (effect.kind === 'hand' ? [effect.turn.text] : []));
const briefed = (simulator: SessionSimulator) =>
  simulator.events.filter(({ type }) => type === 'turn/briefed');

describe('a session that goes on from another one', () => {
  test('tells its engine the record before the first instruction, and only then', () => {
    const simulator = new SessionSimulator(1, aLaunch({ from })).run();
    expect(handed(simulator)[0]).toMatch(/count the masts[^]*Three\.[^]*What is asked now:\n\ngo$/);
    expect(briefed(simulator)).toMatchObject([{ turnId: turnNumber(1), turns: 1 }]);
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    expect(handed(simulator)[1]).toBe('go');
    expect(briefed(simulator)).toHaveLength(1);
  });

  test('tells it again where the engine died before it began', () => {
    const simulator = new SessionSimulator(1, aLaunch({ from }));
    simulator.prepared();
    simulator.spawned();
    simulator.exit(1);
    expect(simulator.state.story).toEqual(from.story);
  });

  test('keeps it for an engine that resumes until a turn began, then leaves it to the engine', () => {
    const simulator = new SessionSimulator(1, aLaunch({ from }), ONE_SHOT);
    expect(simulator.state.story).toEqual(from.story);
    simulator.run();
    expect(simulator.state.story).toEqual([]);
  });

  test('tells an engine without a memory of both, in every turn', () => {
    const capabilities = { ...ONE_SHOT.capabilities, resume: false };
    const simulator = new SessionSimulator(1, aLaunch({ from }), { ...ONE_SHOT, capabilities });
    simulator.run();
    expect(simulator.state.story.map(({ asked }) => asked)).toEqual(['count the masts', 'go']);
  });

  test('without one is handed the instruction as it stands', () => {
    const simulator = new SessionSimulator(1, aLaunch(), CONFIG).run();
    expect([handed(simulator), briefed(simulator)]).toEqual([['go'], []]);
  });
});
