import { plural as pluralWith } from '../../protocol/figures.ts';
import { formatCount, formatDecimal, OWN_FORM } from './locale.ts';

/** `1 turn`, `2 turns`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  pluralWith(count, one, many, OWN_FORM);

/** A token count as people say it: `812`, `9.4 K`, `790 K`, `1.2 M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return formatCount(count);
  // From 999,500 on, rounding to thousands would print `1000 K`.
  const [value, unit] = count < 999_500 ? [count / 1_000, 'K'] : [count / 1_000_000, 'M'];
  return `${formatDecimal(value, value < 9.95 ? 1 : 0, true)} ${unit}`;
}
