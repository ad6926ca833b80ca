import { describe, expect, test } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import type { Story } from '../../../protocol/story.ts';
import { aLaunch, SESSION } from '../../support/protocol-builders.ts';
import { ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, countOf, instruct } from '../../support/session-steps.ts';

const STORY: Story = [
  {
    turnId: turnId.parse('trn_before'),
    asked: 'count the masts',
    answer: 'Three.',
    acts: [],
    outcome: 'ok',
  },
];
const compact = (simulator: SessionSimulator) => simulator.input({ kind: 'compact', story: STORY });
const refusals = ({ effects }: SessionSimulator) =>
  effects.flatMap((effect) => (effect.kind === 'refuse' ? [effect.code] : []));
const handed = ({ effects }: SessionSimulator) =>
  effects.flatMap((effect) => (effect.kind === 'hand' ? [effect.turn.text] : []));

describe('a conversation that is made short', () => {
  test('ends its idle process, and the next turn begins a new one that is told the story', () => {
    const simulator = anIdleSession(new SessionSimulator());
    compact(simulator);
    expect(countOf(simulator, 'terminate')).toBe(1);
    expect(simulator.state).toMatchObject({ conversationBegun: false, engineSessionId: null });
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'compacted' }]);
    instruct(simulator, 2);
    simulator.run();
    expect(handed(simulator).at(-1)).toMatch(/count the masts[^]*What is asked now:\n\ngo$/);
    expect(simulator.ofType('turn/briefed')).toMatchObject([{ turnId: turnNumber(2), turns: 1 }]);
    // The new conversation is resumed like any other.
    expect(simulator.state).toMatchObject({ conversationBegun: true, story: [] });
    expect(refusals(simulator)).toEqual([]);
  });

  test('of a one-shot engine has no process to end, and waits in the same way', () => {
    const simulator = new SessionSimulator(1, aLaunch(), ONE_SHOT).run();
    simulator.endTurn();
    simulator.exit(0);
    simulator.broughtBack();
    compact(simulator);
    expect(simulator.state).toMatchObject({ conversationBegun: false, story: STORY });
    expect(refusals(simulator)).toEqual([]);
  });

  test('is as short as it was asked for where that is asked again before the next turn', () => {
    const simulator = anIdleSession(new SessionSimulator());
    compact(simulator);
    simulator.exit(0);
    const { state } = simulator;
    compact(simulator);
    expect(simulator.state).toEqual(state);
    expect(refusals(simulator)).toEqual([]);
  });

  test('is told of as its own work, also where the session went on from another one', () => {
    const from = { sessionId: SESSION, branch: 'pilothouse/masts', story: STORY };
    const simulator = anIdleSession(new SessionSimulator(1, aLaunch({ from })));
    expect(handed(simulator)[0]).toContain('begun in another session');
    compact(simulator);
    simulator.exit(0);
    instruct(simulator, 2);
    simulator.run();
    expect(handed(simulator).at(-1)).toContain('The files are as that work left them.');
    expect(handed(simulator).at(-1)).not.toMatch(/another session|pilothouse\/masts/);
  });

  test('keeps what the session has spent and may spend', () => {
    const simulator = anIdleSession(
      new SessionSimulator(1, aLaunch({ budgetMicroUsd: 9_000_000 })),
    );
    const { spent, measured, launch } = simulator.state;
    compact(simulator);
    expect(simulator.state).toMatchObject({ spent, launch });
    expect(simulator.state.measured).toEqual(measured);
  });
});

describe('it is refused', () => {
  test('while a turn runs, and while one waits for the engine to start', () => {
    const working = new SessionSimulator().run();
    compact(working);
    expect(refusals(working)).toEqual(['session_busy']);
    expect(working.state.conversationBegun).toBe(true);
    const starting = anIdleSession(new SessionSimulator());
    compact(starting);
    instruct(starting, 2);
    compact(starting);
    expect(refusals(starting)).toHaveLength(1);
  });

  test('to a person who drives', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.takeOver();
    compact(simulator);
    expect(refusals(simulator)).toEqual(['session_busy']);
  });

  test('once the session is over', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    compact(simulator);
    expect(refusals(simulator)).toEqual(['session_ended']);
  });

  test('where there is no conversation yet', () => {
    const simulator = new SessionSimulator();
    compact(simulator);
    expect(refusals(simulator)).toEqual(['nothing_to_go_on_from']);
  });
});
