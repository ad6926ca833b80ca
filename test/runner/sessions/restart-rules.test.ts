import { describe, expect, test } from 'vitest';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, countOf, instruct, REQUEST } from '../../support/session-steps.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

const restart = (simulator: SessionSimulator) => simulator.input({ kind: 'restart' });
const refusals = ({ effects }: SessionSimulator) =>
  effects.flatMap((effect) => (effect.kind === 'refuse' ? [effect.code] : []));
const spawns = (simulator: SessionSimulator) => countOf(simulator, 'spawn');

describe('a restart of the engine', () => {
  test('ends an idle process; the next instruction resumes the conversation', () => {
    const simulator = anIdleSession(new SessionSimulator());
    restart(simulator);
    expect(countOf(simulator, 'terminate')).toBe(1);
    simulator.exit(0);
    expect(simulator.view.state).toBe('parked');
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'restarted' }]);
    expect(simulator.state).toMatchObject({
      engineSessionId: 'conversation',
      conversationBegun: true,
    });
    instruct(simulator, 2);
    expect(spawns(simulator)).toBe(2);
    expect(refusals(simulator)).toEqual([]);
  });

  test('interrupts the turn in the engine’s own way, says why it ended, and goes on with what waits', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    restart(simulator);
    expect(simulator.effects.at(-1)).toEqual({ kind: 'interrupt' });
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      {
        turnId: turnNumber(1),
        outcome: 'interrupted',
        error: { message: expect.stringContaining('a person asked for it') },
      },
    ]);
    simulator.broughtBack();
    expect(spawns(simulator)).toBe(2);
    simulator.spawned();
    simulator.ready();
    simulator.startTurn();
    expect(simulator.state.openTurnId).toBe(turnNumber(2));
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
  });

  test('waits for the next minute with an engine that would overwrite the conversation in this one', () => {
    const capabilities = { ...CONFIG.capabilities, overwritesInMinute: true as const };
    const config = { ...CONFIG, capabilities };
    const simulator = anIdleSession(new SessionSimulator(1, aLaunch(), config));
    restart(simulator);
    simulator.exit(0);
    instruct(simulator, 2);
    expect(spawns(simulator)).toBe(1);
    expect(simulator.state.phase).toEqual({ kind: 'backoff', untilMs: 60_000 });
    expect(simulator.ofType('notice/raised')).toMatchObject([{ code: 'resume_waits' }]);
    simulator.now = 59_999;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(spawns(simulator)).toBe(1);
    simulator.now = 60_000;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(spawns(simulator)).toBe(2);
    expect(simulator.deliveries(2)).toEqual(['received']);
  });

  test('ends by force one that does not answer the interrupt, and its turn is interrupted all the same', () => {
    const simulator = new SessionSimulator().run();
    restart(simulator);
    expect(simulator.terminating).toBe(false);
    simulator.wake();
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'interrupted', usage: 'unsettled' },
    ]);
  });

  test('says so of a turn of which its engine says nothing more', () => {
    const simulator = new SessionSimulator().run();
    restart(simulator);
    simulator.wake();
    simulator.engineTurn = null;
    simulator.exit(null);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      {
        outcome: 'interrupted',
        error: { message: expect.stringContaining('a person asked for it') },
        usage: 'unsettled',
      },
    ]);
  });

  test('never hands again what the engine may have, and goes on with what waits behind it', () => {
    const simulator = anIdleSession(new SessionSimulator());
    instruct(simulator, 2);
    instruct(simulator, 3);
    restart(simulator);
    simulator.exit(0);
    expect(simulator.deliveries(2)).toEqual(['received', 'handed', 'unknown']);
    simulator.spawned();
    simulator.ready();
    simulator.startTurn();
    expect(simulator.state.openTurnId).toBe(turnNumber(3));
    expect(simulator.deliveries(2)).toEqual(['received', 'handed', 'unknown']);
  });

  test('leaves a turn that ended well as it ended', () => {
    const simulator = new SessionSimulator().run();
    restart(simulator);
    simulator.endTurn();
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'ok', error: null }]);
  });

  test('withdraws an approval that was open', () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    restart(simulator);
    simulator.wake();
    simulator.exit(null);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
  });

  test('asked for again while it is under way is the same one', () => {
    const simulator = new SessionSimulator().run();
    restart(simulator);
    restart(simulator);
    simulator.endTurn({ outcome: 'interrupted' });
    restart(simulator);
    simulator.exit(0);
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(countOf(simulator, 'terminate')).toBe(1);
    expect(refusals(simulator)).toEqual([]);
  });

  test('goes on where the runner dies in the middle of it', () => {
    const simulator = new SessionSimulator().run();
    restart(simulator);
    simulator.restart('reachable');
    expect(simulator.terminating).toBe(true);
    simulator.exit(null);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'restarted' }]);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('takes a one-shot engine’s process along, also where an interrupt of its turn came to nothing yet', () => {
    const simulator = new SessionSimulator(1, aLaunch(), ONE_SHOT).run();
    simulator.input({ kind: 'interrupt' });
    restart(simulator);
    simulator.exit(null);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'restarted' }]);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('is refused where there is no process, a person drives, or the session is over', () => {
    const starting = new SessionSimulator();
    restart(starting);
    expect(refusals(starting)).toEqual(['nothing_to_restart']);

    const resting = anIdleSession(new SessionSimulator());
    restart(resting);
    resting.exit(0);
    restart(resting);
    expect(refusals(resting)).toEqual(['nothing_to_restart']);

    const driven = anIdleSession(new SessionSimulator());
    driven.takeOver();
    restart(driven);
    driven.exit(0);
    driven.terminalOpened();
    restart(driven);
    expect(refusals(driven)).toEqual(['taken_over', 'taken_over']);

    const stopping = anIdleSession(new SessionSimulator());
    stopping.input({ kind: 'stop' });
    restart(stopping);
    stopping.exit(0);
    restart(stopping);
    expect(refusals(stopping)).toEqual(['session_ended', 'session_ended']);
    expect(stopping.view.state).toBe('stopped');
  });
});
