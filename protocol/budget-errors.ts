import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about budgets beyond one session's own. */
export const BUDGET_ERRORS = {
  budget_exhausted: {
    status: 409,
    retryable: true,
    sentence:
      'A budget has nothing left for another instruction, so it was not sent. Wait until the budget renews, or raise it in Settings or with `pilothouse budget set`.',
  },
  model_over_budget: {
    status: 409,
    retryable: true,
    sentence:
      'What is left of a budget does not cover asking the model that decides, so it was not asked. Wait until the budget renews, or raise it in Settings or with `pilothouse budget set`.',
  },
  model_unpriced: {
    status: 409,
    retryable: false,
    sentence:
      'The model that decides has no known price, so a budget in dollars cannot count it, and it was not asked. Say what it costs with its key, choose a model with a known price, or take the budget away.',
  },
  budget_changed: {
    status: 409,
    retryable: false,
    sentence:
      'The budget was changed since you read it. `pilothouse budget show` shows how it stands; decide again.',
  },
} as const satisfies Record<string, ErrorFacts>;
