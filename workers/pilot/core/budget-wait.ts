import type { ErrorCode, ErrorContext } from '../../../protocol/errors.ts';

/** While turns of others hold the rest of a budget, how often it is asked again, in ms. */
const AGAIN_MS = 60_000;

/** Refusals of the budgets that time alone may lift. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'budget_exhausted',
  'model_over_budget',
]);

/** When what a budget refused may be taken, Unix ms; null where only a person can say. */
export function takenAgainAt(
  { code, context }: { code: ErrorCode; context: ErrorContext },
  nowMs: number,
): number | null {
  if (!PASSING.has(code)) return null;
  const { renewsAt, heldByTurns, neverFits } = context;
  if (neverFits === true) return null;
  if (heldByTurns === true) return nowMs + AGAIN_MS;
  return typeof renewsAt === 'number' ? renewsAt : null;
}
