const MICRO_PER_CENT = 10_000;

/** An amount in micro-USD to the cent. A part of a cent is `< $0.01`, and only nothing is `$0.00`. */
export function formatMoney(microUsd: number): string {
  if (microUsd > 0 && microUsd < MICRO_PER_CENT) return '< $0.01';
  const cents = Math.round(microUsd / MICRO_PER_CENT);
  const dollars = Math.trunc(cents / 100).toLocaleString('en-US');
  return `$${dollars}.${String(cents % 100).padStart(2, '0')}`;
}

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
