import { describe, expect, it } from 'vitest';
import { render, screen } from '@testing-library/react';
import type { ModelCalls } from '../../../../protocol/model-calls.ts';
import {
  describeModelCalls,
  ModelCallsLine,
} from '../../../../console/session/side/model-calls.tsx';

const seen = (over: Partial<ModelCalls> = {}): ModelCalls => ({
  through: 'gate',
  reason: null,
  calls: 12,
  refused: 0,
  microUsd: 1_000_000,
  engineMicroUsd: 1_000_000,
  ...over,
});

describe('what the model gate saw', () => {
  it('is one line where the engine tells the same', () => {
    expect(describeModelCalls(seen())).toEqual({
      line: '12 calls through the model gate: $1.00 at list prices',
      warning: null,
    });
    // Rounding, and an engine that tells no dollars, are no difference.
    expect(describeModelCalls(seen({ engineMicroUsd: 1_009_000 })).warning).toBeNull();
    expect(describeModelCalls(seen({ engineMicroUsd: null })).warning).toBeNull();
  });

  it('says by how much the engine’s own figures are off, and which counts', () => {
    expect(describeModelCalls(seen({ engineMicroUsd: 700_000 })).warning).toBe(
      'The engine told $0.70 for the same turns, $0.30 less than the gate saw. A budget counts the higher of the two.',
    );
    expect(describeModelCalls(seen({ engineMicroUsd: 2_000_000 })).warning).toContain('$1.00 more');
  });

  it('says how many calls were not begun', () => {
    expect(describeModelCalls(seen({ calls: 1, refused: 2 })).line).toMatch(
      /^1 call .*, 2 not begun:/,
    );
  });

  it('says why calls go past it', () => {
    const model = seen({ through: 'provider', reason: 'It is switched off.' });
    expect(describeModelCalls(model).line).toMatch(/^Past the model gate.*It is switched off\.$/);
  });

  it('is nothing where nobody pays by the call', () => {
    render(<ModelCallsLine model={undefined} />);
    expect(screen.getByText(/nobody pays by the call/)).toBeDefined();
  });
});
