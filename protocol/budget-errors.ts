import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about budgets beyond one session's own. */
export const BUDGET_ERRORS = {
  budget_exhausted: {
    status: 409,
    retryable: true,
    sentence:
      'A budget has nothing left for another instruction, so it was not sent. Wait until the budget renews, or raise it in Settings or with `pilothouse budget set`.',
  },
  budget_changed: {
    status: 409,
    retryable: false,
    sentence:
      'The budget was changed since you read it. `pilothouse budget show` shows how it stands; decide again.',
  },
} as const satisfies Record<string, ErrorFacts>;
