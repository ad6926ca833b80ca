import { describe, expect, it } from 'vitest';
import { SESSION_STATES, TRANSITIONS, can, canBecome, phaseOf } from '../../protocol/session.ts';

describe('the transition table', () => {
  it('names only states that it has', () => {
    const named = new Set(Object.values(TRANSITIONS).flat());
    expect([...named].filter((state) => !SESSION_STATES.includes(state))).toEqual([]);
  });

  it('reaches every state from a launch', () => {
    const reached = new Set<string>(['queued']);
    for (let grew = true; grew;) {
      const before = reached.size;
      for (const state of SESSION_STATES)
        if (reached.has(state)) for (const to of TRANSITIONS[state]) reached.add(to);
      grew = reached.size > before;
    }
    expect(SESSION_STATES.filter((state) => !reached.has(state))).toEqual([]);
  });

  it('lets a person stop a session in every state that has not ended', () => {
    for (const state of SESSION_STATES) {
      if (phaseOf(state) === 'ended') continue;
      expect(canBecome(state, 'stopped'), state).toBe(true);
    }
  });

  it('lets an ended session only be launched again', () => {
    for (const state of SESSION_STATES) {
      if (phaseOf(state) !== 'ended') continue;
      for (const to of TRANSITIONS[state]) expect(['queued', 'spawned', 'stopped']).toContain(to);
    }
  });

  it('has no way from a working turn back to a launch', () => {
    expect(canBecome('working', 'queued')).toBe(false);
    expect(canBecome('working', 'spawned')).toBe(false);
  });
});

describe('what can be done', () => {
  it('takes an instruction while the engine is still starting', () => {
    expect(can('instruct', 'queued')).toEqual({ allowed: true });
    expect(can('instruct', 'spawned')).toEqual({ allowed: true });
  });
  it('takes an instruction for a parked session, which resumes it', () => {
    expect(can('instruct', 'parked')).toEqual({ allowed: true });
  });
  it('refuses an instruction to an ended session and says that it ended', () => {
    expect(can('instruct', 'stopped')).toEqual({ allowed: false, code: 'session_ended' });
  });
  it('refuses an instruction past a halt', () => {
    expect(can('instruct', 'halted')).toEqual({ allowed: false, code: 'session_halted' });
  });
  it('interrupts only what runs', () => {
    expect(can('interrupt', 'working')).toEqual({ allowed: true });
    expect(can('interrupt', 'awaiting_approval')).toEqual({ allowed: true });
    expect(can('interrupt', 'idle')).toEqual({ allowed: false, code: 'nothing_running' });
  });
  it('retries only what failed or ended', () => {
    expect(can('retry', 'provider_failed')).toEqual({ allowed: true });
    expect(can('retry', 'lost')).toEqual({ allowed: true });
    expect(can('retry', 'working')).toEqual({ allowed: false, code: 'nothing_to_retry' });
  });
});
