import { expect, it } from 'vitest';
import { describeSelfReported, describeUnmetered } from '../../protocol/unmetered-words.ts';

const told = (drives: number, aiCliDrives: number, instances = 1) =>
  describeUnmetered({ drives, aiCliDrives, instances, lastAt: 1, windowDays: 1 });

it('says how much was written, where agents ran, and that its cost is not known', () => {
  expect(told(1, 0)).toBe(
    '1 write to terminals by 1 operator. What the programs there cost is not known, and is in no figure here.',
  );
  expect(told(1200, 3, 2)).toContain(
    '1,200 writes to terminals by 2 operators, 3 of them where a coding agent was running.',
  );
  expect(told(2, 2)).toContain('all where a coding agent was running');
});

it('says what agents wrote down themselves, whose word it is, and what is missing of it', () => {
  const tokens = { inputTokens: 1_000, outputTokens: 500, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const told = { drives: 2, microUsd: 14_000, unpriced: 0, ...tokens };
  expect(describeSelfReported(told)).toBe(
    'Coding agents in terminals wrote down 2 K tokens, $0.01 at list prices, after 2 writes to them. That is their own word, without what their helper models took, and is in no figure here.',
  );
  expect(describeSelfReported({ ...told, unpriced: 1 })).toContain(
    'without 1 report of a model that has none',
  );
});
