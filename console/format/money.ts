export { formatMoney } from '../../protocol/figures.ts';

/** Every digit of an amount, for a tooltip: `$0.018400`. */
export function formatMoneyExact(microUsd: number): string {
  const whole = Math.trunc(microUsd / 1_000_000).toLocaleString('en-US');
  return `$${whole}.${String(microUsd % 1_000_000).padStart(6, '0')}`;
}

/** Reads dollars that a person typed, into micro-USD; null when it is no positive amount. */
export function parseMoney(text: string): number | null {
  const match = /^\$?\s*(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const micro = Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
  return micro > 0 ? micro : null;
}
