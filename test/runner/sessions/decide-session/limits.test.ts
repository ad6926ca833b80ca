import { describe, expect, test } from 'vitest';
import type { SessionLimits } from '../../../../protocol/launch.ts';
import type { TurnGrant } from '../../../../protocol/shared-budget.ts';
import { timeUpAt } from '../../../../runner/sessions/measures.ts';
import { nextWakeAt } from '../../../../runner/sessions/session-state.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../../support/session-simulator.ts';
import { anIdleSession, countOf } from '../../../support/session-steps.ts';

const NONE = { microUsd: null, paidMicroUsd: null };

/** A session that has had its first turn; nothing of it is counted but that it was one. */
function limited(limits: Partial<SessionLimits> | null) {
  const launch = aLaunch({ ...(limits && { limits }) });
  const simulator = anIdleSession(new SessionSimulator(1, launch));
  const begin = (turn: number, grant?: Partial<TurnGrant>) => {
    const its = grant && { ...NONE, ...grant };
    const next = { turnId: turnNumber(turn), text: 'go', ...(its && { grant: its }) };
    simulator.input({ kind: 'instruct', turn: next });
    simulator.run();
    // A real engine says that it has begun.
    if (simulator.state.openTurnId === null)
      simulator.event({ type: 'turn/started', turnId: next.turnId, origin: 'instruction' });
  };
  const use = (tokens: number, over: Parameters<typeof aUsage>[0] = {}) => {
    const none = { outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const entry = aUsage({ inputTokens: tokens, ...none, microUsd: 0, ...over });
    simulator.event({
      type: 'usage/recorded',
      turnId: simulator.state.openTurnId,
      entries: [entry],
    });
    simulator.input({ kind: 'spoke' });
  };
  return { simulator, begin, use };
}
const notices = (simulator: SessionSimulator) =>
  simulator.ofType('notice/raised').map(({ code, message }) => `${code}: ${message}`);
const halts = (simulator: SessionSimulator) => simulator.ofType('session/halted');

describe('a session’s limit in turns', () => {
  test('is reached when the turn has ended, and never in the middle of one', () => {
    const { simulator, begin } = limited({ turns: 2 });
    begin(2);
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    simulator.endTurn();
    expect(halts(simulator)).toMatchObject([{ reason: 'budget' }]);
    expect(halts(simulator)[0]?.message).toBe(
      'The session has come to 2 turns of its limit of 2 turns, so it takes no further instruction. Launch a new one with a higher limit to go on.',
    );
  });
});

describe('a session’s limit in tokens', () => {
  test('counts all of them but those of a rehearsal, and halts with a sentence', () => {
    const { simulator, begin, use } = limited({ tokens: 5_000 });
    begin(2);
    use(9_000, { provenance: 'rehearsal' });
    use(3_000);
    use(0, { cacheReadTokens: 1_999 });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    use(0, { outputTokens: 1 });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(halts(simulator)[0]?.message).toContain('has come to 5 K tokens of its limit of 5 K');
  });

  test('stops on what the engine shows of the turn under way', () => {
    const { simulator, begin } = limited({ tokens: 5_000 });
    begin(2);
    simulator.input({ kind: 'estimate', microUsd: 0, tokens: 4_999 });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    simulator.input({ kind: 'estimate', microUsd: 0, tokens: 5_000 });
    simulator.input({ kind: 'spoke' });
    simulator.input({ kind: 'spoke' });
    expect(countOf(simulator, 'interrupt')).toBe(1);
  });

  test('says which limit it was where the turn turns out to have used less', () => {
    const { simulator, begin, use } = limited({ tokens: 5_000 });
    begin(2);
    simulator.input({ kind: 'estimate', microUsd: 0, tokens: 5_000 });
    simulator.input({ kind: 'spoke' });
    use(4_000, { microUsd: 50_000 });
    simulator.endTurn({ outcome: 'interrupted' });
    expect(halts(simulator).map(({ message }) => message)).toEqual([
      'The last turn was stopped when it seemed to reach a limit, and the session has come to 4 K tokens of its limit of 5 K tokens, so it takes no further instruction. Launch a new one with a higher limit to go on.',
    ]);
  });

  test('warns once at each mark', () => {
    const { simulator, begin, use } = limited({ tokens: 10_000 });
    begin(2);
    for (const tokens of [4_999, 1, 1, 2_999, 1_600, 10]) use(tokens);
    expect(notices(simulator).map((said) => said.slice(0, 20))).toEqual([
      'budget_warning: 50 %',
      'budget_warning: 80 %',
      'budget_warning: 95 %',
    ]);
    expect(countOf(simulator, 'interrupt')).toBe(0);
  });
});

describe('a session’s limit in time', () => {
  test('is that of its turns alone, and wakes the session when it is up', () => {
    const { simulator, begin } = limited({ timeMs: 60_000 });
    const first = simulator.state.measured?.timeMs ?? 0;
    simulator.now += 500_000;
    expect(timeUpAt(simulator.state)).toBeNull();
    begin(2);
    const upAt = timeUpAt(simulator.state);
    expect(upAt).toBe((simulator.state.turnBeganAt ?? 0) + 60_000 - first);
    expect(nextWakeAt(simulator.state, { idleMs: 900_000 })).toBe(upAt);
    simulator.now += 59_000 - first;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(countOf(simulator, 'interrupt')).toBe(0);
    simulator.now += 1_000;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(timeUpAt(simulator.state)).toBeNull();
    expect(notices(simulator).at(-1)).toContain('come to 1m 0s of its limit of 1m 0s');
    simulator.endTurn({ outcome: 'interrupted' });
    expect(halts(simulator)).toMatchObject([{ reason: 'budget' }]);
  });
});

describe('a turn that was granted a share of a budget', () => {
  test('in tokens ends at it, and the session goes on', () => {
    const { simulator, begin, use } = limited(null);
    use(70_000);
    begin(2, { tokens: 1_000 });
    use(999);
    expect(countOf(simulator, 'interrupt')).toBe(0);
    use(1);
    expect(countOf(simulator, 'interrupt')).toBe(1);
    expect(notices(simulator).at(-1)).toMatch(/grant_reached: .* with 71 K tokens for the session/);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(halts(simulator)).toEqual([]);
  });

  test('in time ends when that is up', () => {
    const { simulator, begin } = limited(null);
    begin(2, { timeMs: 30_000 });
    expect(timeUpAt(simulator.state)).toBe((simulator.state.turnBeganAt ?? 0) + 30_000);
    simulator.now += 30_000;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(countOf(simulator, 'interrupt')).toBe(1);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(halts(simulator)).toEqual([]);
  });

  test('in tokens alone needs no price for its model', () => {
    const { simulator, begin, use } = limited(null);
    begin(2, { tokens: 1_000 });
    use(10, { microUsd: null, provenance: 'estimated', model: 'gemini-9' });
    simulator.endTurn();
    expect(halts(simulator)).toEqual([]);
  });
});
