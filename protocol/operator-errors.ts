import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about operators and their instances. */
export const OPERATOR_ERRORS = {
  operator_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No operator has this id. `pilothouse operators list` shows those that exist.',
  },
  operator_built_in: {
    status: 409,
    retryable: false,
    sentence:
      'This operator comes with the product and cannot be changed. Publish one of your own from what `pilothouse operators show` prints.',
  },
  operator_changed: {
    status: 409,
    retryable: false,
    sentence:
      'Another version of this operator was published meanwhile. Read it again, then publish on top of it.',
  },
  operator_withdrawn: {
    status: 409,
    retryable: false,
    sentence:
      'This operator was withdrawn, so nothing new is made of it. Choose another, or publish it again.',
  },
  operator_unreadable: {
    status: 503,
    retryable: true,
    sentence:
      'What this operator may do cannot be read, so it may do nothing. The log of the server says why; an update of it may be needed.',
  },
  instance_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No instance of an operator has this id. `pilothouse operators instances` shows those that exist.',
  },
  mcp_key_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No key for MCP clients has this id. `pilothouse mcp keys list` shows those that exist.',
  },
  mcp_scope_missing: {
    status: 403,
    retryable: false,
    sentence:
      'This key does not open that, so nothing was done. Ask the person for one that does: `pilothouse mcp keys make` makes it.',
  },
  mcp_rate_limited: {
    status: 429,
    retryable: true,
    sentence: 'This key asked too often. Wait a minute, then go on more slowly.',
  },
  instance_paused: {
    status: 409,
    retryable: true,
    sentence:
      'The operator is paused, so nothing was done. Resume it on its page, or with `pilothouse operators resume`.',
  },
  question_over: {
    status: 409,
    retryable: false,
    sentence:
      'The agent in the terminal does not wait for this any more: it was answered there, its time is over, or the agent ended. The operator’s page says which.',
  },
  call_not_waiting: {
    status: 409,
    retryable: false,
    sentence:
      'This call does not wait for an answer, or no longer: `pilothouse operators requests` shows those that do.',
  },
  instance_halted: {
    status: 409,
    retryable: false,
    sentence:
      'This operator did what the merge policy forbids, and nobody has answered for it. Undo it, then say on its page or with `pilothouse breaches override` why it may go on.',
  },
  instance_removed: {
    status: 410,
    retryable: false,
    sentence: 'This instance was removed for good. Make another one of its operator.',
  },
} as const satisfies Record<string, ErrorFacts>;
