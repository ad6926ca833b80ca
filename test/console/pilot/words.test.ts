import { describe, expect, it } from 'vitest';
import { brainWords } from '../../../console/pilot/words.ts';

describe('what decides', () => {
  it.each([
    ['checklist', null, 'its checks alone'],
    ['engine', null, 'the engine itself'],
    ['engine', 'small', 'the engine itself, small'],
    ['api', 'some-model', 'some-model'],
  ] as const)('%s with the model %s is %s', (brain, brainModel, words) => {
    expect(brainWords({ brain, brainModel })).toBe(words);
  });
});
