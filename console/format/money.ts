import { readDecimal } from '../../protocol/amounts.ts';
import { formatMoney as formatWith } from '../../protocol/figures.ts';
import { decimalMark, formatDollars, OWN_FORM } from './locale.ts';

const DOLLAR_MICRO_USD = 1_000_000;

/** Money to the cent. A part of a cent is `< $0.01`, and only nothing is `$0.00`. */
export const formatMoney = (microUsd: number): string => formatWith(microUsd, OWN_FORM);

/** Every digit of an amount, for a tooltip: `$0.018400`. */
export const formatMoneyExact = (microUsd: number): string =>
  formatDollars(microUsd / DOLLAR_MICRO_USD, 6);

/**
 * Reads dollars that a person typed, into micro-USD; null when it is no positive amount. Their own
 * mark before a fraction counts as well as a point; nothing is grouped, where the same mark would.
 */
export function parseMoney(text: string, mark = decimalMark()): number | null {
  const plain = readDecimal(text.trim().replace(/^\$\s*/, ''), mark) ?? '';
  const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(plain);
  if (!match) return null;
  const micro = Number(match[1]) * DOLLAR_MICRO_USD + Number((match[2] ?? '').padEnd(6, '0'));
  return micro > 0 ? micro : null;
}
