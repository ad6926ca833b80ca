import { readDecimal } from '../../protocol/amounts.ts';
import { decimalMark, formatDollars } from './locale.ts';

const CENT_MICRO_USD = 10_000;
const DOLLAR_MICRO_USD = 1_000_000;

/** Money to the cent. A part of a cent is `< $0.01`, and only nothing is `$0.00`. */
export function formatMoney(microUsd: number): string {
  if (microUsd > 0 && microUsd < CENT_MICRO_USD) return `< ${formatDollars(0.01, 2)}`;
  return formatDollars(Math.round(microUsd / CENT_MICRO_USD) / 100, 2);
}

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
