import type { ErrorFacts } from './machine-errors.ts';

/** What telling a browser or a webhook may be refused for. */
export const PUSH_ERRORS = {
  push_device_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No such browser is told. `pilothouse notifications list` shows those that are; turn it on in the console of the browser itself.',
  },
  webhook_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No webhook is told. Set one in the settings of the console, or with `pilothouse notifications webhook set`.',
  },
  push_unavailable: {
    status: 503,
    retryable: false,
    sentence:
      'Nobody can be told from here, because the server has no secret to keep keys and addresses with. Set BRAIN_KEYS_SECRET on the server, then turn notifications on again.',
  },
} as const satisfies Record<string, ErrorFacts>;
