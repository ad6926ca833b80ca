import { describe, expect, test } from 'vitest';
import { commandId, launchId } from '../../../protocol/ids.ts';
import { openSession } from '../../../runner/sessions/decide-session.ts';
import type { StartInput } from '../../../runner/sessions/session-io.ts';
import type { SessionState } from '../../../runner/sessions/session-state.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { ALLOW, REQUEST, anIdleSession, instruct } from '../../support/session-steps.ts';

const start = (over: Partial<StartInput> = {}): StartInput => ({
  ...new SessionSimulator(null).start(null),
  ...over,
});
const again = (previous: SessionState, over: Partial<StartInput> = {}) =>
  openSession(
    start({ launchId: launchId.parse('lau_two'), commandId: commandId.parse('cmd_two'), ...over }),
    previous,
    9_000,
    CONFIG,
  );

/** A session with a life behind it: a turn that cost something, then a stop. */
function stopped(): SessionSimulator {
  const simulator = new SessionSimulator().run();
  simulator.event({
    type: 'usage/recorded',
    turnId: turnNumber(1),
    entries: [aUsage({ microUsd: 700 })],
  });
  simulator.event({ type: 'approval/requested', request: REQUEST });
  simulator.endTurn();
  simulator.broughtBack();
  simulator.input({ kind: 'stop' });
  simulator.exit(0);
  return simulator;
}

describe('a session that is opened', () => {
  test('asks first for the place to work in, and starts nothing yet', () => {
    const { state, effects } = openSession(start(), null, 5, CONFIG);
    expect(effects).toEqual([{ kind: 'prepare' }]);
    expect(state).toMatchObject({ phase: { kind: 'preparing' }, launchedAt: 5, spawns: 0 });
  });

  test('says of its first instruction that the machine has it', () => {
    const firstTurn = { turnId: turnNumber(1), text: 'go' };
    const { state, effects } = openSession(start({ firstTurn }), null, 5, CONFIG);
    expect(effects[0]).toEqual({
      kind: 'emit',
      event: { type: 'turn/delivered', turnId: turnNumber(1), delivery: 'received', reason: null },
    });
    expect(state.queue).toEqual([firstTurn]);
  });

  test('without a conversation begins a new one', () => {
    const { state } = openSession(start(), null, 5, CONFIG);
    expect(state).toMatchObject({ engineSessionId: null, conversationBegun: false });
  });

  test('with a conversation of the cloud’s knowledge carries that on', () => {
    const { state } = openSession(start({ engineSessionId: 'theirs' }), null, 5, CONFIG);
    expect(state).toMatchObject({ engineSessionId: 'theirs', conversationBegun: true });
  });

  test('is plain data, so that it can be stored as it is', () => {
    const { state } = openSession(start(), null, 5, CONFIG);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

describe('a session that is launched again', () => {
  test('carries on the conversation that this machine knows, whatever the cloud believes', () => {
    const { state } = again(stopped().state, { engineSessionId: 'another' });
    expect(state).toMatchObject({ engineSessionId: 'conversation', conversationBegun: true });
  });

  test('remembers what it has cost: a budget is the session’s, not the launch’s', () => {
    expect(again(stopped().state).state.spent).toEqual({ reported: 700 });
  });

  test('names its next process after those before it', () => {
    expect(again(stopped().state).state.spawns).toBe(1);
  });

  test('tells a late answer to an old request that it has expired', () => {
    const simulator = stopped();
    simulator.state = again(simulator.state).state;
    simulator.input({ kind: 'answer', requestId: REQUEST.requestId, answer: ALLOW });
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('does not do again what it has done: a turn that ran is not run by another launch', () => {
    const firstTurn = { turnId: turnNumber(1), text: 'go' };
    const { state, effects } = again(stopped().state, { firstTurn });
    expect(state.queue).toEqual([]);
    expect(effects).toEqual([{ kind: 'prepare' }]);
  });

  test('does what was left undelivered', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.wake();
    simulator.exit(0);
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
    const { state } = again(simulator.state, { firstTurn: { turnId: turnNumber(1), text: 'go' } });
    expect(state.queue).toHaveLength(1);
  });

  test('answers its own command, not the one before', () => {
    expect(again(stopped().state).state.startCommandId).toBe('cmd_two');
  });

  test('never goes back to a driver that was replaced', () => {
    const previous = { ...stopped().state, epoch: 7 };
    expect(again(previous, { epoch: 3 }).state.epoch).toBe(7);
    expect(again(previous, { epoch: 8 }).state.epoch).toBe(8);
  });

  test('is not halted, not closing and adopted from nobody any more', () => {
    const previous = { ...stopped().state, halted: true, closing: true, adopted: true };
    expect(again(previous).state).toMatchObject({ halted: false, closing: false, adopted: false });
  });

  test('still owes the person the commits of its last turn', () => {
    const previous = { ...stopped().state, bringingBack: turnNumber(1) };
    const opened = again(previous);
    expect(opened.state.bringingBack).toBe(turnNumber(1));
    // Nobody else is at it: without being asked again, the first turn would wait for ever.
    expect(opened.effects).toContainEqual({ kind: 'bringBack', turnId: turnNumber(1) });
  });

  test('counts its own failures from none', () => {
    const previous = { ...stopped().state, bootFailures: 2, everReady: true, completedTurns: 4 };
    expect(again(previous).state).toMatchObject({
      bootFailures: 0,
      bootError: null,
      everReady: false,
      completedTurns: 0,
    });
  });

  test('need not prove again that its engine keeps records', () => {
    expect(again(stopped().state).state.recordsProven).toBe(true);
  });
});

describe('how much a session remembers', () => {
  test('is bounded: of many instructions the newest are known', () => {
    const simulator = anIdleSession(new SessionSimulator());
    for (let turn = 2; turn <= 260; turn++) instruct(simulator, turn);
    expect(simulator.state.knownTurns).toHaveLength(200);
    expect(simulator.state.knownTurns.at(-1)).toBe(turnNumber(260));
  });

  test('is bounded: of many requests the newest are known', () => {
    const simulator = new SessionSimulator().run();
    for (let index = 0; index < 520; index++)
      simulator.event({
        type: 'approval/resolved',
        requestId: `apr_${index}` as typeof REQUEST.requestId,
        resolution: 'withdrawn',
      });
    expect(simulator.state.pastRequests).toHaveLength(500);
    expect(simulator.state.pastRequests.at(-1)).toBe('apr_519');
  });
});
