import type { ErrorFacts } from './machine-errors.ts';

/** What telling a browser may be refused for. */
export const PUSH_ERRORS = {
  push_device_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No such browser is told. `pilothouse notifications list` shows those that are; turn it on in the console of the browser itself.',
  },
  push_unavailable: {
    status: 503,
    retryable: false,
    sentence:
      'Browsers cannot be told from here, because the server has no secret to keep its key with. Set BRAIN_KEYS_SECRET on the server, then turn notifications on again.',
  },
} as const satisfies Record<string, ErrorFacts>;
