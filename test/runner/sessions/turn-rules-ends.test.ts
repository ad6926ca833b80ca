import { describe, expect, test } from 'vitest';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, countOf, instruct } from '../../support/session-steps.ts';

const without = (over: Partial<typeof CONFIG.capabilities>) => ({
  ...CONFIG,
  capabilities: { ...CONFIG.capabilities, ...over },
});

describe('an interrupt', () => {
  test('of a running turn is written to the engine', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'interrupt' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(simulator.state.phase.kind).toBe('ready');
  });

  test('of nothing is refused', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.input({ kind: 'interrupt' });
    expect(simulator.refusals).toEqual(['nothing_running']);
  });

  test('of an engine that knows none is refused by name', () => {
    const config = without({ interrupt: false });
    const simulator = new SessionSimulator(1, aLaunch(), config).run();
    simulator.input({ kind: 'interrupt' });
    expect(simulator.refusals).toEqual(['unsupported']);
  });

  test('of a turn that an earlier runner began is by the engine’s own way too', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    simulator.input({ kind: 'interrupt' });
    expect(simulator.terminating).toBe(false);
    expect(countOf(simulator, 'interrupt')).toBe(1);
  });

  test('leaves what waits behind it waiting, and then runs it', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.input({ kind: 'interrupt' });
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('while the session stops is one already', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    simulator.input({ kind: 'interrupt' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(simulator.refusals).toEqual([]);
  });
});
