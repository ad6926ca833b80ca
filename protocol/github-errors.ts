import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about GitHub as a channel. */
export const GITHUB_ERRORS = {
  github_channel_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No such repository is connected. `pilothouse github list` shows those that are.',
  },
  github_connected: {
    status: 409,
    retryable: false,
    sentence:
      'This repository is connected already. Remove it with `pilothouse github remove` first, then connect it as it should be.',
  },
  github_webhook_refused: {
    status: 401,
    retryable: false,
    sentence:
      'The signature of this delivery is not that of a connected repository. Give GitHub the same secret as here, and the address that `pilothouse github list` shows.',
  },
  github_failed: {
    status: 502,
    retryable: true,
    sentence: 'GitHub did not answer as it should. Check the token and its rights, then try again.',
  },
} as const satisfies Record<string, ErrorFacts>;
