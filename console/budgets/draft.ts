import type { BudgetKey } from '../../protocol/shared-budget.ts';

/** An amount as typed, in micro-USD or turns; else what is missing. */
export function readAmount(
  unit: BudgetKey['unit'],
  typed: string,
): { ok: true; limit: number } | { ok: false; problem: string } {
  const text = typed.trim().replace(/^\$/, '');
  const form = unit === 'dollars' ? /^\d{1,6}(\.\d{1,6})?$/ : /^\d{1,6}$/;
  const limit = form.test(text)
    ? Math.round(Number(text) * (unit === 'dollars' ? 1_000_000 : 1))
    : 0;
  if (limit > 0) return { ok: true, limit };
  return {
    ok: false,
    problem:
      unit === 'dollars'
        ? 'Give dollars above zero, such as 20 or 2.50.'
        : 'Give a whole number of turns.',
  };
}
