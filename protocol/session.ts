import { z } from 'zod';

/**
 * Every state of a session and the states it may become. The server refuses what is not here,
 * and a button that leads nowhere is disabled: both ask this one table.
 */
export const TRANSITIONS = {
  // A one-shot engine that was launched without an instruction waits without a process.
  queued: ['spawned', 'parked', 'blocked', 'failed_to_start', 'provider_failed', 'stopped', 'lost'],
  spawned: [
    'bootstrap_submitted',
    'bootstrap_confirmed',
    'failed_to_start',
    'bootstrap_stalled',
    'blocked',
    'provider_failed',
    'stopped',
    'failed',
    'lost',
  ],
  bootstrap_submitted: [
    'bootstrap_confirmed',
    'working',
    'failed_to_start',
    'bootstrap_stalled',
    'blocked',
    'provider_failed',
    'stopped',
    'failed',
    'lost',
  ],
  bootstrap_confirmed: [
    'idle',
    'working',
    'blocked',
    'provider_failed',
    'parked',
    'halted',
    'stopped',
    'failed',
    'lost',
  ],
  idle: [
    'working',
    'blocked',
    'awaiting_approval',
    'awaiting_human',
    'waiting_until',
    'paused',
    'halted',
    'taken_over',
    'parked',
    'spawned',
    // A one-shot engine idles without a process: the one of its next turn may not start.
    'failed_to_start',
    'provider_failed',
    'finished',
    'stopped',
    'failed',
    'lost',
  ],
  working: [
    'idle',
    'awaiting_approval',
    'awaiting_human',
    'waiting_until',
    'paused',
    'blocked',
    'halted',
    'taken_over',
    'parked',
    'provider_failed',
    'finished',
    'stopped',
    'failed',
    'lost',
  ],
  awaiting_approval: [
    'taken_over',
    'working',
    'awaiting_human',
    'idle',
    'parked',
    'halted',
    'stopped',
    'failed',
    'lost',
  ],
  awaiting_human: [
    'taken_over',
    'working',
    'blocked',
    'awaiting_approval',
    'idle',
    'parked',
    'halted',
    'stopped',
    'failed',
    'lost',
  ],
  waiting_until: [
    'taken_over',
    'working',
    'idle',
    'paused',
    'parked',
    'halted',
    'stopped',
    'failed',
    'lost',
  ],
  paused: ['taken_over', 'idle', 'working', 'parked', 'halted', 'stopped', 'failed', 'lost'],
  blocked: [
    'queued',
    'taken_over',
    'idle',
    'working',
    'awaiting_human',
    'spawned',
    'bootstrap_submitted',
    'bootstrap_confirmed',
    'failed_to_start',
    'provider_failed',
    'parked',
    'halted',
    'stopped',
    'failed',
    'lost',
  ],
  halted: ['idle', 'parked', 'queued', 'stopped', 'failed', 'lost'],
  taken_over: ['idle', 'parked', 'halted', 'stopped', 'failed', 'lost'],
  parked: [
    'taken_over',
    'spawned',
    'queued',
    'failed_to_start',
    'provider_failed',
    'halted',
    'finished',
    'stopped',
    'failed',
    'lost',
  ],
  failed_to_start: ['queued', 'spawned', 'bootstrap_stalled', 'provider_failed', 'stopped'],
  bootstrap_stalled: ['queued', 'spawned', 'stopped'],
  provider_failed: ['queued', 'spawned', 'stopped'],
  finished: ['queued', 'spawned'],
  stopped: ['queued', 'spawned'],
  failed: ['queued', 'spawned'],
  lost: ['queued', 'spawned', 'stopped'],
} as const satisfies Record<string, readonly string[]>;

export type SessionState = keyof typeof TRANSITIONS;
export const SESSION_STATES = Object.keys(TRANSITIONS) as [SessionState, ...SessionState[]];
export const sessionState = z.enum(SESSION_STATES);

/** Whether a session in `from` may become `to`. Staying as it is is always allowed. */
export function canBecome(from: SessionState, to: SessionState): boolean {
  return from === to || (TRANSITIONS[from] as readonly SessionState[]).includes(to);
}

/** Which part of its life a state belongs to: decides what a page and a person can do. */
export function phaseOf(state: SessionState): 'launching' | 'active' | 'ended' | 'failed' {
  switch (state) {
    case 'queued':
    case 'spawned':
    case 'bootstrap_submitted':
    case 'bootstrap_confirmed':
      return 'launching';
    case 'failed_to_start':
    case 'bootstrap_stalled':
    case 'provider_failed':
      return 'failed';
    case 'finished':
    case 'stopped':
    case 'failed':
    case 'lost':
      return 'ended';
    case 'idle':
    case 'working':
    case 'awaiting_approval':
    case 'awaiting_human':
    case 'waiting_until':
    case 'paused':
    case 'blocked':
    case 'halted':
    case 'taken_over':
    case 'parked':
      return 'active';
    default:
      return state satisfies never;
  }
}

/** What a person asks of a session by name alone, without further words. */
export const requestedAction = z.enum([
  'interrupt',
  'stop',
  'retry',
  'restart',
  'compact',
  'dismiss',
  'restore',
]);
export type RequestedAction = z.infer<typeof requestedAction>;

/** What a person can ask of a session. */
export const sessionAction = z.enum([
  'instruct',
  'interrupt',
  'stop',
  'retry',
  'restart',
  'compact',
  'dismiss',
  'restore',
  'answer',
  'takeover',
]);
export type SessionAction = z.infer<typeof sessionAction>;

export type Permission =
  | { allowed: true }
  | {
      allowed: false;
      code:
        | 'session_ended'
        | 'session_not_ready'
        | 'nothing_running'
        | 'nothing_to_retry'
        | 'nothing_to_restart'
        | 'nothing_to_dismiss'
        | 'session_busy'
        | 'session_halted'
        | 'taken_over'
        | 'takeover_too_early';
    };

const ALLOWED: Permission = { allowed: true };
const refuse = (code: Exclude<Permission, { allowed: true }>['code']): Permission => ({
  allowed: false,
  code,
});

/**
 * Decides whether `action` makes sense in `state`, and if not, why: the same answer for the
 * route that refuses and for the button that explains itself. Whether the one request being
 * answered is still pending is a question of the view, not of the state.
 */
export function can(action: SessionAction, state: SessionState): Permission {
  const phase = phaseOf(state);
  switch (action) {
    case 'instruct':
      if (phase === 'ended') return refuse('session_ended');
      if (phase === 'failed') return refuse('session_not_ready');
      if (state === 'halted') return refuse('session_halted');
      return ALLOWED;
    case 'interrupt':
      return state === 'working' ||
        state === 'awaiting_approval' ||
        state === 'awaiting_human' ||
        state === 'blocked'
        ? ALLOWED
        : refuse('nothing_running');
    case 'stop':
      return phase === 'ended' ? refuse('session_ended') : ALLOWED;
    case 'retry':
      return phase === 'failed' || phase === 'ended' ? ALLOWED : refuse('nothing_to_retry');
    case 'restart':
      if (phase === 'ended') return refuse('session_ended');
      if (phase === 'failed') return refuse('session_not_ready');
      if (state === 'halted' || state === 'taken_over')
        return refuse(state === 'halted' ? 'session_halted' : 'taken_over');
      // Without a process there is none to end: one that starts is ended by its own deadline.
      return phase === 'launching' || state === 'parked' ? refuse('nothing_to_restart') : ALLOWED;
    case 'compact':
      if (phase === 'ended') return refuse('session_ended');
      if (phase === 'failed') return refuse('session_not_ready');
      if (state === 'halted') return refuse('session_halted');
      return state === 'idle' || state === 'parked' ? ALLOWED : refuse('session_busy');
    case 'dismiss':
    case 'restore':
      // A failure or a halt asks for a look; whatever else needs a person needs an answer.
      return phase === 'failed' || state === 'failed' || state === 'lost' || state === 'halted'
        ? ALLOWED
        : refuse('nothing_to_dismiss');
    case 'answer':
      return phase === 'ended' || phase === 'failed' ? refuse('session_ended') : ALLOWED;
    case 'takeover':
      if (phase === 'ended') return refuse('session_ended');
      if (phase === 'failed') return refuse('session_not_ready');
      if (phase === 'launching') return refuse('takeover_too_early');
      return state === 'halted' ? refuse('session_halted') : ALLOWED;
    default:
      return action satisfies never;
  }
}
