import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../../runner/model-gate/journal.ts';
import { modelGrantOf } from '../../../../runner/sessions/meter-rules.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { instruct, kinds } from '../../../support/session-steps.ts';

const aCall = (over: Partial<JournalEntry> = {}): JournalEntry => ({
  at: 1,
  model: 'm',
  refused: null,
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 2,
  cacheWriteTokens: 1,
  microUsd: 400,
  told: true,
  ...over,
});

/** A session whose calls go through the gate, in its first turn. */
function gated(budgetMicroUsd: number | null = 1_000) {
  const simulator = new SessionSimulator(1, aLaunch({ budgetMicroUsd })).run();
  const route = { through: 'gate', reason: null, credential: 'A_KEY' } as const;
  simulator.input({ kind: 'routed', route });
  let offset = 0;
  const call = (...entries: JournalEntry[]) =>
    simulator.input({ kind: 'called', entries, offset: (offset += 100) });
  const tell = (microUsd: number | null, provenance: 'reported' | 'unmetered' = 'reported') =>
    simulator.event({
      type: 'usage/recorded',
      turnId: turnNumber(1),
      entries: [aUsage({ microUsd, provenance })],
    });
  return { simulator, call, tell, route };
}

describe('calls that the gate saw', () => {
  test('of a terminal are told at the end of its turn, also where its engine tells nothing', () => {
    const { simulator, call, route } = gated();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.takeOver();
    simulator.exit(0);
    simulator.input({ kind: 'routed', route });
    simulator.terminalOpened();
    call(aCall(), aCall());
    simulator.input({ kind: 'release' });
    simulator.terminalClosed();
    expect(simulator.ofType('model/metered')).toMatchObject([
      { turnId: turnNumber(90), calls: 2, microUsd: 800, engineMicroUsd: null },
    ]);
    // The budget of 1,000 knows of them, though no row of the ledger does.
    expect(simulator.state.model?.microUsd).toBe(800);
  });

  test('are told when the turn is over, beside what the engine told of them', () => {
    const { simulator, call, tell } = gated();
    call(aCall());
    call(aCall(), aCall({ refused: 'unknown_endpoint', microUsd: 0, inputTokens: 0 }));
    tell(790);
    simulator.endTurn();
    expect(simulator.ofType('model/metered')).toMatchObject([
      {
        turnId: turnNumber(1),
        calls: 2,
        refused: 1,
        inputTokens: 20,
        outputTokens: 15,
        microUsd: 800,
        engineMicroUsd: 790,
      },
    ]);
    expect(simulator.view.model).toMatchObject({ calls: 2, microUsd: 800, engineMicroUsd: 790 });
    expect(simulator.state.model).toMatchObject({ offset: 200, microUsd: 800 });
  });

  test('are no difference where the engine tells no dollars at all', () => {
    const { simulator, call, tell } = gated();
    call(aCall());
    tell(null, 'unmetered');
    simulator.endTurn();
    expect(simulator.ofType('model/metered')[0]?.engineMicroUsd).toBeNull();
  });

  test('have no sum where one of them has no price', () => {
    const { simulator, call } = gated(null);
    call(aCall(), aCall({ microUsd: null }));
    simulator.endTurn();
    expect(simulator.ofType('model/metered')[0]).toMatchObject({ calls: 2, microUsd: null });
  });

  test('that nobody saw are not told of', () => {
    const { simulator } = gated();
    simulator.endTurn();
    expect(simulator.ofType('model/metered')).toEqual([]);
  });

  test('count for the budget where the engine tells less', () => {
    const { simulator, call, tell } = gated();
    call(aCall({ microUsd: 1_000 }));
    expect(kinds(simulator).filter((kind) => kind === 'interrupt')).toHaveLength(1);
    tell(10);
    simulator.endTurn({ outcome: 'interrupted' });
    const [halted] = simulator.ofType('session/halted');
    expect(halted?.message).toMatch(/as the model gate saw them.*Launch a new one/);
  });

  test('halt the session when one was refused, although not all is spent', () => {
    const { simulator, call } = gated();
    call(aCall({ refused: 'too_large', microUsd: 0 }));
    expect(simulator.ofType('notice/raised')).toMatchObject([{ code: 'budget_reached' }]);
    simulator.endTurn({ outcome: 'interrupted' });
    const [halted] = simulator.ofType('session/halted');
    expect(halted).toMatchObject({ reason: 'budget' });
    expect(halted?.message).toMatch(/did not let the next call begin/);
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_halted']);
  });

  test('that were refused to a question halt nothing, but beside a turn they may be the turn’s', () => {
    const beside = gated();
    beside.call(aCall({ refused: 'too_large', microUsd: 0 }));
    beside.simulator.input({ kind: 'questionOver' });
    expect(beside.simulator.state.model?.overBudget).toBe(true);

    const alone = gated();
    alone.simulator.endTurn();
    alone.simulator.broughtBack();
    alone.call(aCall({ refused: 'too_large', microUsd: 0 }));
    alone.simulator.input({ kind: 'questionOver' });
    expect(alone.simulator.state.model?.overBudget).toBe(false);
  });

  test('of a model without a price halt a session with a budget', () => {
    const { simulator, call } = gated();
    call(aCall({ refused: 'unpriced', microUsd: 0, model: 'nobody-knows' }));
    simulator.endTurn({ outcome: 'failed' });
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'unpriced_model' }]);
  });

  test('to what nobody knows are told at once, and end nothing', () => {
    const { simulator, call } = gated();
    call(aCall({ refused: 'unknown_endpoint', microUsd: 0, model: 'POST /v1/images' }));
    const [notice] = simulator.ofType('notice/raised');
    expect(notice?.message).toMatch(/did not pass on POST \/v1\/images.*model_gate = false/);
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
  });
});

describe('the way of the calls', () => {
  test('is told when it changes, and not again', () => {
    const { simulator, route } = gated();
    simulator.input({ kind: 'routed', route });
    expect(simulator.ofType('model/routed')).toHaveLength(1);
    simulator.input({ kind: 'routed', route: { ...route, through: 'provider', reason: 'off' } });
    expect(simulator.ofType('model/routed')[1]).toMatchObject({ through: 'provider' });
    expect(simulator.view.model).toMatchObject({ through: 'provider', reason: 'off' });
  });

  test('is nobody’s business where nobody pays by the call', () => {
    const simulator = new SessionSimulator(1, aLaunch()).run();
    simulator.input({ kind: 'routed', route: null });
    simulator.input({ kind: 'called', entries: [aCall()], offset: 9 });
    simulator.endTurn();
    expect(simulator.view.model).toBeUndefined();
  });
});

test('the gate is granted what is left, by whichever figure is higher', () => {
  expect(modelGrantOf(null, 5, 7)).toBeNull();
  expect(modelGrantOf(1_000, 0, 0)).toBe(1_000);
  expect(modelGrantOf(1_000, 300, 300)).toBe(1_000);
  // The engine told more than the gate saw, as of turns from before there was one.
  expect(modelGrantOf(1_000, 900, 100)).toBe(200);
  // Side calls that the engine does not tell.
  expect(modelGrantOf(1_000, 100, 900)).toBe(1_000);
  expect(modelGrantOf(1_000, 2_000, 100)).toBe(100);
});
