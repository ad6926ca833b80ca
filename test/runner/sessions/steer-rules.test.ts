import { describe, expect, test } from 'vitest';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, instruct } from '../../support/session-steps.ts';

const steer = (simulator: SessionSimulator, turn: number): void =>
  simulator.input({
    kind: 'instruct',
    turn: { turnId: turnNumber(turn), text: 'rather this' },
    steer: true,
  });

/** What the engine says of an instruction that it took into the turn that just ended. */
function endMerged(simulator: SessionSimulator, turn: number): void {
  simulator.event({ type: 'turn/started', turnId: turnNumber(turn), origin: 'instruction' });
  simulator.engineTurn = turnNumber(turn);
  simulator.endTurn({ usage: 'unobservable', acts: 'unobservable' });
}

describe('words for the turn under way', () => {
  test('go into it at once, past what waits, and end with it', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    steer(simulator, 3);
    expect(simulator.steered).toEqual([turnNumber(3)]);
    expect(simulator.deliveries(3)).toEqual(['received', 'handed']);
    simulator.endTurn();
    // The engine still has those words: what waits is not handed beside them.
    simulator.broughtBack();
    expect(simulator.engineHas).toBeNull();
    endMerged(simulator, 3);
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
    expect(simulator.view.turns.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  test('that came too late for it are the next instruction', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    steer(simulator, 3);
    simulator.endTurn();
    simulator.input({ kind: 'unsteered', turnId: turnNumber(3) });
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(3));
    expect(simulator.deliveries(3)).toEqual(['received', 'handed', 'received', 'handed']);
  });

  test('are an instruction like any other where no turn is under way', () => {
    const simulator = anIdleSession(new SessionSimulator());
    steer(simulator, 2);
    expect(simulator.steered).toEqual([]);
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('are refused by an engine that takes none, and nothing of them is kept', () => {
    const { steer: _steer, ...capabilities } = CONFIG.capabilities;
    const simulator = new SessionSimulator(1, aLaunch(), { ...CONFIG, capabilities }).run();
    steer(simulator, 2);
    expect(simulator.refusals).toEqual(['steer_unsupported']);
    expect(simulator.deliveries(2)).toEqual([]);
    instruct(simulator, 2);
    expect(simulator.deliveries(2)).toEqual(['received']);
  });

  test('sent again are taken once', () => {
    const simulator = new SessionSimulator().run();
    steer(simulator, 2);
    steer(simulator, 2);
    expect(simulator.steered).toHaveLength(1);
  });

  test('of which nobody knows whether the engine read them before it ended are told as unknown', () => {
    const simulator = new SessionSimulator().run();
    steer(simulator, 2);
    simulator.exit(1);
    expect(simulator.deliveries(2).at(-1)).toBe('unknown');
    simulator.broughtBack();
    expect(simulator.spawning).toBe(false);
  });

  test('that begin a turn of their own are that turn, also for the limit of silence and for rest', () => {
    const simulator = new SessionSimulator().run();
    steer(simulator, 2);
    simulator.endTurn();
    simulator.broughtBack();
    expect(simulator.state.phase).toEqual({ kind: 'ready', idleSince: null });
    simulator.startTurn(turnNumber(2));
    simulator.endTurn();
    simulator.broughtBack();
    expect(simulator.state.phase).toMatchObject({ kind: 'ready', idleSince: simulator.now });
  });
});
