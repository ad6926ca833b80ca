import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ceiling, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import { ceilingObstacle, isWider } from '../../protocol/ceiling-compare.ts';
import { anyCeiling, anyNarrowing, everything, isWithin } from '../support/ceilings.ts';

const RUNS = { numRuns: 2_000 };

test('a ceiling is wider exactly when something can be done that could not', () => {
  let [wider, other] = [0, 0];
  fc.assert(
    fc.property(anyCeiling, anyCeiling, (before, after) => {
      const had = everything(narrowConstraintSpec(before, {}));
      const has = everything(narrowConstraintSpec(after, {}));
      expect(isWider(before, after)).toBe(!isWithin(has, had));
      if (isWider(before, after)) wider += 1;
      else other += 1;
    }),
    RUNS,
  );
  // Both answers were looked at.
  expect(Math.min(wider, other)).toBeGreaterThan(20);
});

test('one that is not wider stays so however a subscriber narrows', () => {
  fc.assert(
    fc.property(anyCeiling, anyNarrowing, anyNarrowing, (before, smaller, narrowing) => {
      const { tools } = narrowConstraintSpec(before, smaller);
      const after: Ceiling = { ...before, tools };
      expect(isWider(before, after)).toBe(false);
      const has = everything(narrowConstraintSpec(after, narrowing));
      expect(isWithin(has, everything(narrowConstraintSpec(before, narrowing)))).toBe(true);
    }),
    RUNS,
  );
});

const pane: Ceiling = {
  tools: ['tmux_capture_pane'],
  surfaceOptions: { tmux: { backends: ['tmux'], targets: 'single', prefix: 'build' } },
};
const tmux = (over: object): Ceiling['surfaceOptions'] => ({
  tmux: { backends: ['tmux'], targets: 'single', prefix: 'build', ...over },
});

test.each([
  ['a further tool', { ...pane, tools: [...pane.tools, 'tmux_send_keys' as const] }, true],
  ['every pane', { ...pane, surfaceOptions: tmux({ targets: 'any' }) }, true],
  ['another prefix', { ...pane, surfaceOptions: tmux({ prefix: 'web' }) }, true],
  ['no prefix', { ...pane, surfaceOptions: tmux({ prefix: null }) }, true],
  ['a longer prefix', { ...pane, surfaceOptions: tmux({ prefix: 'build-1' }) }, false],
  ['nothing left', { ...pane, tools: [] }, false],
  ['the same', pane, false],
])('%s: wider is said rightly', (_, after, wider) => {
  expect(isWider(pane, after)).toBe(wider);
});

test.each([
  ['no tool', { tools: [], surfaceOptions: {} }, 'at least one tool'],
  ['tools without a terminal', { ...pane, surfaceOptions: {} }, 'can reach nothing'],
  ['an empty list', { ...pane, surfaceOptions: tmux({ backends: [] }) }, 'can reach nothing'],
  [
    'a foreign one',
    { ...pane, surfaceOptions: tmux({ backends: ['kitty'] }) },
    'cannot reach kitty',
  ],
  [
    'limits of no tool',
    {
      ...pane,
      surfaceOptions: {
        ...pane.surfaceOptions,
        terminal: { backends: [], targets: 'any', prefix: null },
      },
    },
    'no tool uses the limits of terminal',
  ],
] as [string, Ceiling, string][])('a ceiling with %s is not published', (_, ceiling, words) => {
  expect(ceilingObstacle(ceiling)).toContain(words);
});

test('a ceiling that can be used has no obstacle', () => {
  expect(ceilingObstacle(pane)).toBeNull();
});
