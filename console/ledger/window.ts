import type { Window } from '../api/queries.ts';

/** The times that a ledger can be looked at by, the shortest first. */
export const WINDOWS = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
  { value: 'all', label: 'All' },
] as const;
export type WindowName = (typeof WINDOWS)[number]['value'];

const DAYS: Record<Exclude<WindowName, 'all'>, number> = { today: 1, week: 7, month: 30 };

/** The time that a name stands for, from the start of a day in the reader's own zone. */
export function windowOf(name: WindowName, nowMs: number): Window {
  if (name === 'all') return { from: undefined, to: undefined };
  const start = new Date(nowMs);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - (DAYS[name] - 1));
  return { from: start.getTime(), to: undefined };
}
