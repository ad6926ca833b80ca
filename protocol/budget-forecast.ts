import { PLAIN_FORM } from './figure-form.ts';
import { type BudgetStanding, sayAmount } from './shared-budget.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Earlier in its day a budget tells nothing of the rest of it. */
const LEAST_SHARE = 1 / 24;

/** What a daily budget comes to if the rest of its day is like what was of it. */
export type BudgetForecast = {
  /** The share of its day that is over, 0 to 1. */
  elapsed: number;
  /** In the unit of the budget, when it renews. */
  atEnd: number;
  /** When nothing is left at that pace, Unix ms; null where it lasts. */
  usedUpAt: number | null;
};

/**
 * Forecasts a daily budget; null where there is nothing to say: it does not renew, its day has just
 * begun, or nothing of it or all of it is used. A day counts 24 hours, also where clocks change.
 */
export function forecastBudget(
  { used, limit, renewsAt }: Pick<BudgetStanding, 'used' | 'limit' | 'renewsAt'>,
  nowMs: number,
): BudgetForecast | null {
  if (renewsAt === null || used === 0 || used >= limit) return null;
  const beganAt = renewsAt - DAY_MS;
  const elapsed = (nowMs - beganAt) / DAY_MS;
  if (elapsed < LEAST_SHARE || elapsed >= 1) return null;
  const usedUpAt = beganAt + (limit / used) * (nowMs - beganAt);
  return {
    elapsed,
    atEnd: Math.round(used / elapsed),
    usedUpAt: usedUpAt < renewsAt ? Math.round(usedUpAt) : null,
  };
}

/** A forecast as a sentence, by the clock of the budget's own zone. */
export function sayForecast(
  { unit, zone }: Pick<BudgetStanding, 'unit' | 'zone'>,
  { atEnd, usedUpAt }: BudgetForecast,
  form = PLAIN_FORM,
): string {
  return usedUpAt === null
    ? `At the pace of today it comes to about ${sayAmount(unit, atEnd, form)}`
    : `At the pace of today nothing is left at about ${form.clock(usedUpAt, zone)} ${zone}`;
}
