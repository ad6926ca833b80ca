import {
  type DecimalMark,
  groupingProblem,
  parseTokens,
  parseTurns,
  parseWorkMinutes,
} from '../../protocol/amounts.ts';
import type { BudgetKey } from '../../protocol/shared-budget.ts';
import { decimalMark } from '../format/locale.ts';
import { parseMoney } from '../format/money.ts';

const READ: Record<BudgetKey['unit'], (typed: string, mark: DecimalMark) => number | null> = {
  dollars: parseMoney,
  tokens: parseTokens,
  turns: parseTurns,
  time: parseWorkMinutes,
};

const PROBLEMS: Record<BudgetKey['unit'], string> = {
  dollars: 'Give dollars above zero, such as 20 or 2.50.',
  tokens: 'Give tokens, such as 500k or 2M.',
  turns: 'Give a whole number of turns.',
  time: 'Give minutes above zero, such as 90.',
};

/** An amount as typed, in micro-USD, tokens, turns or ms; else what is missing. */
export function readAmount(
  unit: BudgetKey['unit'],
  typed: string,
): { ok: true; limit: number } | { ok: false; problem: string } {
  const mark = decimalMark();
  const limit = READ[unit](typed, mark);
  return limit === null
    ? { ok: false, problem: groupingProblem(typed, mark) ?? PROBLEMS[unit] }
    : { ok: true, limit };
}
