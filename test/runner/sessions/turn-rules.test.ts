import { describe, expect, test } from 'vitest';
import { requestId } from '../../../protocol/ids.ts';
import { SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import {
  ALLOW,
  DENY,
  REQUEST,
  anIdleSession,
  countOf,
  instruct,
  kinds,
} from '../../support/session-steps.ts';

const anAnswer = (simulator: SessionSimulator, answer = ALLOW, id = REQUEST.requestId) =>
  simulator.input({ kind: 'answer', requestId: id, answer });

describe('an instruction', () => {
  test('to an idle engine goes to it at once, and its idle time ends', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    expect(simulator.engineHas).toBe(turnNumber(2));
    expect(simulator.state.phase).toEqual({ kind: 'ready', idleSince: null });
  });

  test('is said to be handed before the bytes are written', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.effects.length = 0;
    instruct(simulator, 2);
    expect(kinds(simulator)).toEqual(['emit', 'emit', 'hand']);
    expect(simulator.deliveries(2)).toEqual(['received', 'handed']);
  });

  test('behind others keeps its place', () => {
    const simulator = new SessionSimulator().run();
    for (const turn of [2, 3, 4]) instruct(simulator, turn);
    const order = [2, 3, 4].map((turn) => {
      simulator.endTurn();
      simulator.broughtBack();
      expect(simulator.engineHas).toBe(turnNumber(turn));
      simulator.startTurn();
      return simulator.engineTurn;
    });
    expect(order).toEqual([2, 3, 4].map(turnNumber));
  });

  test('keeps the words that it first came with', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'other words' } });
    expect(simulator.state.queue).toEqual([{ turnId: turnNumber(2), text: 'go' }]);
  });

  test('that is known is accepted again even when the session is over', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    instruct(simulator, 1);
    expect(simulator.refusals).toEqual([]);
  });

  test('waits for the end of an ending process, then wakes another', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.wake();
    instruct(simulator, 2);
    expect(simulator.engineHas).toBeNull();
    simulator.exit(0);
    expect(simulator.spawning).toBe(true);
  });

  test('while the launch is ended for its silence is refused as not ready', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.wake();
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_not_ready']);
  });

  test('while the turn is asked to end for a stop is refused as ended', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_ended']);
  });
});

describe('the word of an engine that it has an instruction', () => {
  test('is its confirmation or its beginning, whichever comes first', () => {
    const confirmed = anIdleSession(new SessionSimulator());
    instruct(confirmed, 2);
    confirmed.event({
      type: 'turn/delivered',
      turnId: turnNumber(2),
      delivery: 'confirmed',
      reason: null,
    });
    expect(confirmed.state.held?.confirmed).toBe(true);
    const begun = anIdleSession(new SessionSimulator());
    instruct(begun, 2);
    begun.startTurn();
    expect(begun.state.held?.confirmed).toBe(true);
  });

  test('about another instruction is no word about this one', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    simulator.event({
      type: 'turn/delivered',
      turnId: turnNumber(9),
      delivery: 'confirmed',
      reason: null,
    });
    expect(simulator.state.held?.confirmed).toBe(false);
  });

  test('makes an exit before the turn began unknown instead of repeated', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    simulator.event({
      type: 'turn/delivered',
      turnId: turnNumber(2),
      delivery: 'confirmed',
      reason: null,
    });
    simulator.exit(1);
    expect(simulator.deliveries(2).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });

  test('being unknown, the same instruction may be sent again by a person', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    simulator.input({ kind: 'spoke' });
    simulator.exit(1);
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
    expect(simulator.deliveries(2).at(-1)).toBe('received');
  });
});

describe('the end of a turn', () => {
  test('has its commits brought back', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    expect(simulator.effects).toContainEqual({ kind: 'bringBack', turnId: turnNumber(1) });
    expect(simulator.state.bringingBack).toBe(turnNumber(1));
  });

  test.each(['ok', 'failed', 'killed', 'interrupted', 'unknown'] as const)(
    'as %s lets the next instruction run',
    (outcome) => {
      const simulator = new SessionSimulator().run();
      instruct(simulator, 2);
      simulator.endTurn({ outcome });
      simulator.broughtBack();
      expect(simulator.engineHas).toBe(turnNumber(2));
    },
  );

  test('tells what the bringing back told, before the next instruction is handed', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.endTurn();
    simulator.effects.length = 0;
    simulator.input({
      kind: 'broughtBack',
      events: [{ type: 'notice/raised', level: 'warning', code: 'bring_back_failed', message: '' }],
    });
    expect(kinds(simulator)).toEqual(['emit', 'emit', 'hand']);
    expect(simulator.ofType('notice/raised')).toHaveLength(1);
  });

  test('while another’s commits are brought back waits for its turn to be', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.event({ type: 'turn/started', turnId: turnNumber(9), origin: 'engine' });
    simulator.engineTurn = turnNumber(9);
    simulator.endTurn();
    expect(countOf(simulator, 'bringBack')).toBe(1);
    instruct(simulator, 2);
    simulator.broughtBack();
    expect(simulator.effects).toContainEqual({ kind: 'bringBack', turnId: turnNumber(9) });
    expect(simulator.engineHas).toBeNull();
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('begins the idle time when nothing waits', () => {
    const simulator = new SessionSimulator().run();
    simulator.now = 7_000;
    simulator.endTurn();
    expect(simulator.state.phase).toEqual({ kind: 'ready', idleSince: 7_000 });
  });

  test('counts the completed ones alone', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    simulator.startTurn();
    simulator.endTurn({ outcome: 'failed' });
    expect(simulator.state.completedTurns).toBe(1);
  });
});

describe('a request to a person', () => {
  const asked = () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    return simulator;
  };

  test('is written to the engine with the answer, once', () => {
    const simulator = asked();
    anAnswer(simulator, DENY);
    expect(simulator.effects.at(-1)).toMatchObject({
      kind: 'answer',
      request: { requestId: REQUEST.requestId },
      answer: DENY,
    });
  });

  test('of another name is not found, and nothing is written', () => {
    const simulator = asked();
    anAnswer(simulator, ALLOW, requestId.parse('apr_never'));
    expect(simulator.refusals).toEqual(['request_not_found']);
    expect(countOf(simulator, 'answer')).toBe(0);
  });

  test('may be answered until the last moment of its time', () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: { ...REQUEST, expiresAt: 5_000 } });
    simulator.now = 5_000;
    anAnswer(simulator);
    expect(simulator.refusals).toEqual([]);
  });

  test('with the same answer but another reason has a different answer', () => {
    const simulator = asked();
    anAnswer(simulator, { ...DENY, message: 'not today' });
    anAnswer(simulator, { ...DENY, message: 'never' });
    expect(simulator.refusals).toEqual(['approval_answered']);
  });

  test('while the turn is asked to end has expired', () => {
    const simulator = asked();
    simulator.input({ kind: 'stop' });
    anAnswer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('that the engine confirmed is over: a late answer has expired', () => {
    const simulator = asked();
    anAnswer(simulator);
    simulator.event({
      type: 'approval/resolved',
      requestId: REQUEST.requestId,
      resolution: 'allowed',
    });
    anAnswer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('does not hold up another one', () => {
    const simulator = asked();
    const other = { ...REQUEST, requestId: requestId.parse('apr_other') };
    simulator.event({ type: 'approval/requested', request: other });
    anAnswer(simulator, ALLOW, other.requestId);
    expect(simulator.state.pending.map(({ answer }) => answer)).toEqual([null, ALLOW]);
  });
});
