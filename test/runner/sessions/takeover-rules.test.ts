import { describe, expect, it } from 'vitest';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';

const idle = () => {
  const session = new SessionSimulator().run();
  session.endTurn();
  session.broughtBack();
  return session;
};
const DRIVEN = turnNumber(90);
const ENTRY = {
  model: 'a-model',
  provenance: 'reported',
  payer: 'api-key',
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 1_500,
} as const;
const driven = () => {
  const session = idle();
  session.takeOver();
  session.exit(0);
  session.terminalOpened();
  return session;
};

describe('taking a session over', () => {
  it('ends the engine’s process first, and opens the terminal when it is gone', () => {
    const session = idle();
    session.takeOver();
    expect(session.opening).toBe(false);
    session.exit(0);
    expect(session.opening).toBe(true);
    session.terminalOpened();
    expect(session.view.state).toBe('taken_over');
    expect(session.ofType('turn/started').at(-1)).toMatchObject({
      turnId: turnNumber(90),
      origin: 'terminal',
    });
  });

  it('interrupts a turn under way, and waits until its commits are brought back', () => {
    const session = new SessionSimulator().run();
    session.takeOver();
    expect(session.effects.at(-1)).toEqual({ kind: 'interrupt' });
    session.endTurn({ outcome: 'interrupted' });
    session.exit(0);
    expect(session.opening).toBe(false);
    session.broughtBack();
    expect(session.opening).toBe(true);
  });

  it('is refused while the engine starts, when the session is over, and without a terminal', () => {
    const starting = new SessionSimulator();
    starting.takeOver();
    expect(starting.refusals).toEqual(['takeover_too_early']);
    const stopped = idle();
    stopped.input({ kind: 'stop' });
    stopped.exit(0);
    stopped.takeOver();
    expect(stopped.refusals).toEqual(['session_ended']);
    const capabilities = { ...CONFIG.capabilities, keys: false };
    const without = new SessionSimulator(1, undefined, { ...CONFIG, capabilities });
    without.takeOver();
    expect(without.refusals).toEqual(['keys_unsupported']);
  });

  it('opens at once for an engine that rests between its turns', () => {
    const session = new SessionSimulator(1, undefined, ONE_SHOT).run();
    session.exit(0);
    session.broughtBack();
    session.takeOver();
    expect(session.opening).toBe(true);
  });
});

describe('a session that a person drives', () => {
  it('keeps what is asked meanwhile, and resumes with it when it is handed back', () => {
    const session = driven();
    session.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'next' } });
    expect(session.spawning).toBe(false);
    session.input({ kind: 'release' });
    expect(session.effects.at(-1)).toEqual({ kind: 'closeTerminal' });
    session.terminalClosed();
    expect(session.ofType('terminal/closed')).toMatchObject([{ reason: 'released' }]);
    expect(session.spawning).toBe(true);
  });

  it('says that its spend is not settled, and has its commits brought back', () => {
    const session = driven();
    session.terminalClosed();
    expect(session.ofType('turn/ended').at(-1)).toMatchObject({
      turnId: turnNumber(90),
      usage: 'unsettled',
    });
    expect(session.bringing).toBe(true);
    expect(session.ofType('terminal/closed')).toMatchObject([{ reason: 'exited' }]);
    expect(session.view.state).toBe('parked');
  });

  it('records what the engine’s books say that it cost, of each of its terminals', () => {
    const session = driven();
    session.input({ kind: 'shutdown' });
    session.terminalClosed();
    session.restart();
    session.terminalOpened({ entries: [ENTRY], usage: 'recorded' });
    session.terminalClosed(null, { entries: [], usage: 'none' });
    const recorded = session.ofType('usage/recorded').filter(({ turnId }) => turnId === DRIVEN);
    expect(recorded.map(({ entries }) => entries)).toEqual([[ENTRY]]);
    expect(session.ofType('turn/ended').at(-1)).toMatchObject({
      turnId: DRIVEN,
      usage: 'recorded',
    });
  });

  it('is unsettled where one of its terminals is', () => {
    const session = driven();
    session.restart();
    session.terminalOpened({ entries: [], usage: 'unsettled' });
    session.terminalClosed(null, { entries: [ENTRY], usage: 'recorded' });
    expect(session.ofType('turn/ended').at(-1)).toMatchObject({ usage: 'unsettled' });
  });

  it('halts the session where what it cost is over the budget', () => {
    const session = driven();
    const { launch } = session.state;
    session.state = { ...session.state, launch: { ...launch, budgetMicroUsd: 1_000 } };
    session.terminalClosed(null, { entries: [ENTRY], usage: 'recorded' });
    expect(session.ofType('session/halted')).toMatchObject([{ reason: 'budget' }]);
  });

  it('ends with the session when it is stopped, also while its terminal opens', () => {
    const session = idle();
    session.takeOver();
    session.exit(0);
    session.input({ kind: 'stop' });
    session.terminalOpened();
    expect(session.effects.at(-1)).toEqual({ kind: 'closeTerminal' });
    session.terminalClosed();
    expect(session.view.state).toBe('stopped');
  });

  it('opens again with the next runner, whether the last one ended or died', () => {
    const died = driven();
    died.restart();
    expect(died.opening).toBe(true);
    died.terminalOpened();
    const ended = driven();
    ended.input({ kind: 'shutdown' });
    ended.terminalClosed();
    expect(ended.opening).toBe(false);
    ended.restart();
    ended.terminalOpened();
    for (const session of [died, ended])
      expect(session.ofType('terminal/opened').map(({ reopened }) => reopened)).toEqual([
        false,
        true,
      ]);
  });

  it('goes on with its conversation when no terminal could be opened', () => {
    const session = idle();
    session.takeOver();
    session.exit(0);
    session.terminalClosed('There is none.');
    expect(session.ofType('terminal/closed')).toMatchObject([
      { reason: 'failed', message: 'There is none.' },
    ]);
    expect(session.ofType('turn/started').map(({ turnId }) => turnId)).toEqual([turnNumber(1)]);
    session.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'next' } });
    expect(session.spawning).toBe(true);
  });
});
