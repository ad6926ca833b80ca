import type { AdrWaiver } from '../../protocol/adr-report.ts';

const DAY_MS = 24 * 60 * 60_000;
/** So long before its end a waiver asks to be looked at, in days. */
const SOON_DAYS = 14;

export type WaiverTime = { kind: 'standing' | 'soon' | 'expired'; words: string };

/** How long a waiver still stands. It stands through its last day, in UTC as its date is. */
export function decideWaiver(waiver: AdrWaiver, nowMs: number): WaiverTime {
  const end = Date.parse(`${waiver.expires}T00:00:00Z`) + DAY_MS;
  const days = Math.ceil((end - nowMs) / DAY_MS);
  if (days <= 0) return { kind: 'expired', words: `waiver expired on ${waiver.expires}` };
  const left = days === 1 ? 'today' : `in ${days} days`;
  if (days <= SOON_DAYS)
    return { kind: 'soon', words: `waiver expires ${left}, on ${waiver.expires}` };
  return { kind: 'standing', words: `waived until ${waiver.expires}` };
}
