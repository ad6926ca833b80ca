import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about driving a session by hand. */
export const TAKEOVER_ERRORS = {
  taken_over: {
    status: 409,
    retryable: false,
    sentence:
      'A person drives this session by hand. Wait until it is handed back, or take it from them with `force`.',
  },
  not_taken_over: {
    status: 409,
    retryable: false,
    sentence: 'Nobody drives this session by hand, so there is nothing to hand back.',
  },
  takeover_too_early: {
    status: 409,
    retryable: true,
    sentence:
      'The engine is only starting, so there is no conversation to take over yet. Try again in a moment.',
  },
  keys_unsupported: {
    status: 422,
    retryable: false,
    sentence:
      'This engine has no terminal on this machine that keys could be sent to. Take the session over with text instead.',
  },
  takeover_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not allow anybody to take a session over. Set `takeover = true` in limits.toml on that machine.',
  },
} as const satisfies Record<string, ErrorFacts>;
