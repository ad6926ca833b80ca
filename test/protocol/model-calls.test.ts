import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../protocol/engine-event.ts';
import { modelDifference } from '../../protocol/model-calls.ts';
import { viewAfter } from '../support/protocol-builders.ts';

const metered = (over: Partial<EventOf<'model/metered'>> = {}): EventOf<'model/metered'> => ({
  type: 'model/metered',
  turnId: null,
  calls: 2,
  refused: 0,
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 700,
  engineMicroUsd: 690,
  ...over,
});
const routed = (over: Partial<EventOf<'model/routed'>> = {}): EventOf<'model/routed'> => ({
  type: 'model/routed',
  through: 'gate',
  reason: null,
  ...over,
});

describe('a session’s calls', () => {
  it('are nobody’s until somebody tells their way', () => {
    expect(viewAfter()).not.toHaveProperty('model');
    expect(viewAfter(routed()).model).toEqual({
      through: 'gate',
      reason: null,
      calls: 0,
      refused: 0,
      microUsd: 0,
      engineMicroUsd: null,
    });
  });

  it('are summed turn by turn, and never become spend', () => {
    const view = viewAfter(routed(), metered(), metered({ refused: 1, engineMicroUsd: 10 }));
    expect(view.model).toMatchObject({
      calls: 4,
      refused: 1,
      microUsd: 1_400,
      engineMicroUsd: 700,
    });
    expect(view.spend).toEqual({});
  });

  it('keep what is known beside a turn without a price or without the engine’s figure', () => {
    const view = viewAfter(routed(), metered(), metered({ microUsd: null, engineMicroUsd: null }));
    expect(view.model).toMatchObject({ calls: 4, microUsd: 700, engineMicroUsd: 690 });
  });

  it('are compared for the turns alone of which the engine told', () => {
    const dollar = 1_000_000;
    const told = metered({ microUsd: dollar, engineMicroUsd: dollar });
    const untold = metered({ microUsd: 3 * dollar, engineMicroUsd: null });
    const { model } = viewAfter(routed(), untold, told, untold);
    expect(model).toMatchObject({ microUsd: 7 * dollar, untoldMicroUsd: 6 * dollar });
    expect(model && modelDifference(model)).toBeNull();
  });

  it('keep their sums when they go another way', () => {
    const view = viewAfter(routed(), metered(), routed({ through: 'provider', reason: 'off' }));
    expect(view.model).toMatchObject({ through: 'provider', reason: 'off', calls: 2 });
  });
});

describe('two witnesses of one sum', () => {
  it.each([
    ['agree where the engine tells nothing', 5_000_000, null, null],
    ['agree to the cent', 50_000, 59_999, null],
    ['agree within a hundredth', 100_000_000, 100_900_000, null],
    ['differ beyond it, upwards', 1_000_000, 1_020_000, 20_000],
    ['differ beyond it, downwards', 1_000_000, 0, -1_000_000],
  ])('%s', (_name, microUsd, engineMicroUsd, apart) => {
    expect(modelDifference({ microUsd, engineMicroUsd })).toBe(apart);
  });
});
