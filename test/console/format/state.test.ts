// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { SESSION_STATES, phaseOf } from '../../../protocol/session.ts';
import { wordOfState } from '../../../console/format/state.ts';

describe('the word of a state', () => {
  it('exists for every state, with a meaning that is a sentence', () => {
    for (const state of SESSION_STATES) {
      const { word, meaning } = wordOfState(state);
      expect(word).toMatch(/^[A-Z]/);
      expect(meaning).toMatch(/\.$/);
    }
  });

  it('pulses only while something really works on it', () => {
    const live = SESSION_STATES.filter((state) => wordOfState(state).tone === 'live');
    expect(live).toEqual(['queued', 'spawned', 'bootstrap_submitted', 'working']);
  });

  it('asks for a person exactly where one is waited for', () => {
    const needs = SESSION_STATES.filter((state) => wordOfState(state).tone === 'needs');
    expect(needs).toEqual(['awaiting_approval', 'awaiting_human', 'blocked']);
  });

  it('is a failure for every launch that failed', () => {
    const failed = SESSION_STATES.filter((state) => phaseOf(state) === 'failed');
    expect(failed.map((state) => wordOfState(state).tone)).toEqual(failed.map(() => 'failed'));
  });
});
