import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about a session's Pilot. */
export const PILOT_ERRORS = {
  pilot_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'This session has no Pilot: a person gives its instructions. Launch with `--mode pilot` to have one.',
  },
  pilot_over: {
    status: 409,
    retryable: false,
    sentence:
      'This session’s Pilot has come to its end. Give the next instruction yourself, or launch again.',
  },
  pilot_not_waiting: {
    status: 409,
    retryable: false,
    sentence: 'The Pilot waits for nobody just now. Pause it first, or wait until it asks.',
  },
  pilot_moved_on: {
    status: 409,
    retryable: false,
    sentence:
      'The Pilot has moved on since this was proposed. Read what it proposes now, then confirm that.',
  },
  pilot_needs_words: {
    status: 422,
    retryable: false,
    sentence:
      'There is no proposal to say yes to: the Pilot asked a question. Send the next instruction along, or resume.',
  },
  pilot_proposes: {
    status: 409,
    retryable: false,
    sentence:
      'The Pilot waits for a yes to its proposal. Confirm it, edited or not, or change the objective.',
  },
  instruction_withdrawn: {
    status: 409,
    retryable: false,
    sentence:
      'The instruction was withdrawn before its machine had it: the Pilot that gave it was stopped. Send it again to have it done.',
  },
  check_not_approved: {
    status: 422,
    retryable: false,
    sentence:
      'This check is not approved on the machine, so it was not run. Read it, then approve it there with `pilothouse checks approve`, and resume.',
  },
  brain_engine_unable: {
    status: 422,
    retryable: false,
    sentence:
      'This engine cannot be asked for a decision beside its conversation, or its machine’s runner is too old to. Choose another brain: `checklist` needs no model, `api` asks one from the server.',
  },
  brain_key_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'There is no such key for a brain. `pilothouse brain-keys list` shows those there are; add one with `pilothouse brain-keys add`.',
  },
  brain_keys_unavailable: {
    status: 503,
    retryable: false,
    sentence:
      'Keys for brains cannot be kept here, because the server has no secret to encrypt them with. Set BRAIN_KEYS_SECRET on the server, then add the key again.',
  },
  brain_key_unreadable: {
    status: 422,
    retryable: false,
    sentence:
      'This key for a brain cannot be decrypted: the secret of the server is not the one it was kept with. Remove the key and add it again.',
  },
  policy_unreadable: {
    status: 503,
    retryable: true,
    sentence:
      'The merge policy could not be read, so nothing was started. Try again; if it stays so, look at the server’s log.',
  },
} as const satisfies Record<string, ErrorFacts>;
