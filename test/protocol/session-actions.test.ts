import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../protocol/errors.ts';
import {
  SESSION_STATES,
  TRANSITIONS,
  can,
  canBecome,
  phaseOf,
  sessionAction,
  sessionState,
  type SessionState,
} from '../../protocol/session.ts';

const ACTIONS = sessionAction.options;

/** What a person may do in each state, as a page shows it: the whole table, by hand. */
const ALLOWED: Record<SessionState, readonly (typeof ACTIONS)[number][]> = {
  queued: ['instruct', 'stop', 'answer'],
  spawned: ['instruct', 'stop', 'answer'],
  bootstrap_submitted: ['instruct', 'stop', 'answer'],
  bootstrap_confirmed: ['instruct', 'stop', 'answer'],
  idle: ['instruct', 'stop', 'answer', 'takeover', 'restart', 'compact'],
  working: ['instruct', 'interrupt', 'stop', 'answer', 'takeover', 'restart'],
  awaiting_approval: ['instruct', 'interrupt', 'stop', 'answer', 'takeover', 'restart'],
  awaiting_human: ['instruct', 'interrupt', 'stop', 'answer', 'takeover', 'restart'],
  waiting_until: ['instruct', 'stop', 'answer', 'takeover', 'restart'],
  paused: ['instruct', 'stop', 'answer', 'takeover', 'restart'],
  blocked: ['instruct', 'interrupt', 'stop', 'answer', 'takeover', 'restart'],
  halted: ['stop', 'answer', 'dismiss', 'restore'],
  taken_over: ['instruct', 'stop', 'answer', 'takeover'],
  parked: ['instruct', 'stop', 'answer', 'takeover', 'compact'],
  failed_to_start: ['stop', 'retry', 'dismiss', 'restore'],
  bootstrap_stalled: ['stop', 'retry', 'dismiss', 'restore'],
  provider_failed: ['stop', 'retry', 'dismiss', 'restore'],
  finished: ['retry'],
  stopped: ['retry'],
  failed: ['retry', 'dismiss', 'restore'],
  lost: ['retry', 'dismiss', 'restore'],
};

describe.each(SESSION_STATES)('a session that is %s', (state) => {
  it('lets a person do exactly what the page offers', () => {
    const allowed = ACTIONS.filter((action) => can(action, state).allowed);
    expect(allowed.toSorted()).toEqual(ALLOWED[state].toSorted());
  });

  it('refuses everything else with a sentence that says why', () => {
    const codes = ACTIONS.flatMap((action) => {
      const permission = can(action, state);
      return permission.allowed ? [] : [permission.code];
    });
    for (const code of codes) expect(ERRORS[code].sentence).toMatch(/\.$/);
  });

  it('may stay as it is', () => {
    expect(canBecome(state, state)).toBe(true);
  });

  it('is in one phase of its life', () => {
    expect(['launching', 'active', 'ended', 'failed']).toContain(phaseOf(state));
  });
});

describe('what an action promises', () => {
  it('retrying is possible wherever it is offered', () => {
    const stuck = SESSION_STATES.filter(
      (state) => can('retry', state).allowed && !canBecome(state, 'queued'),
    );
    expect(stuck).toEqual([]);
  });

  it('stopping is possible wherever it is offered', () => {
    const stuck = SESSION_STATES.filter(
      (state) => can('stop', state).allowed && !canBecome(state, 'stopped'),
    );
    expect(stuck).toEqual([]);
  });

  it('an interrupt is offered only where the turn can become idle', () => {
    const stuck = SESSION_STATES.filter(
      (state) => can('interrupt', state).allowed && !canBecome(state, 'idle'),
    );
    expect(stuck).toEqual([]);
  });

  it('somebody always has a way on: no state is without an action', () => {
    expect(SESSION_STATES.filter((state) => ALLOWED[state].length === 0)).toEqual([]);
  });
});

describe('the table', () => {
  it('names no state twice among those that one may become', () => {
    for (const [state, next] of Object.entries(TRANSITIONS))
      expect(new Set(next).size, state).toBe(next.length);
  });

  it('does not list staying as it is, which goes without saying', () => {
    for (const state of SESSION_STATES) expect(TRANSITIONS[state]).not.toContain(state);
  });

  it.each(['idle', 'working', 'awaiting_approval', 'awaiting_human'] as const)(
    'a session that is %s can be lost with its machine',
    (state) => {
      expect(canBecome(state, 'lost')).toBe(true);
    },
  );

  it.each(['finished', 'stopped', 'failed', 'lost'] as const)(
    'a session that is %s does not come back to work without a launch',
    (state) => {
      expect(canBecome(state, 'working')).toBe(false);
      expect(canBecome(state, 'idle')).toBe(false);
    },
  );

  it('knows no state of another’s invention', () => {
    expect(sessionState.safeParse('thinking').success).toBe(false);
    expect(SESSION_STATES.every((state) => sessionState.safeParse(state).success)).toBe(true);
  });
});
