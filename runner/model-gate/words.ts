import type { Refusal } from './journal.ts';

/** What an engine is told, and a person reads: why a call was not begun, and what to do. */
export function refusalWords(why: Refusal, what: string): string {
  switch (why) {
    case 'spent':
      return 'Pilothouse: the budget of this session is spent, so this call was not begun. Do not try again: a person has to launch with a higher limit, or raise the budget.';
    case 'too_large':
      return 'Pilothouse: what is left of the budget does not cover this call, so it was not begun. Do not try again: a person has to launch with a higher limit, or raise the budget.';
    case 'unpriced':
      return `Pilothouse: no price is known for the model ${what}, so a budget in dollars cannot be kept and this call was not begun. Choose a model with a known price, or launch without a budget.`;
    case 'unknown_endpoint':
      return `Pilothouse: ${what} is not known to the model gate. It might spend what nobody could count, so it was not called. \`model_gate = false\` in limits.toml lets the engine call its provider directly.`;
    default:
      return why satisfies never;
  }
}

export const STRANGER =
  'Pilothouse: no session of this machine has this key. It is good for one session, on this machine alone.';
