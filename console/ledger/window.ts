import { z } from 'zod';
import type { Window } from '../api/queries.ts';

/** The times that a ledger can be looked at by, the shortest first; `dates` are a person's own. */
export const WINDOWS = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
  { value: 'all', label: 'All' },
  { value: 'dates', label: 'Dates' },
] as const;
export type WindowName = (typeof WINDOWS)[number]['value'];

const DAYS: Record<Exclude<WindowName, 'all' | 'dates'>, number> = {
  today: 1,
  week: 7,
  month: 30,
};

const day = z.iso.date().optional().catch(undefined);

/** What the address of a ledger's page says of its time; a word that is none reads as unsaid. */
export const periodSearch = z.object({
  time: z.enum(['today', 'week', 'month', 'all', 'dates']).optional().catch(undefined),
  /** First and last day of `dates`, both included. */
  from: day,
  to: day,
});
export type Period = z.infer<typeof periodSearch>;

/** The time that a name stands for, from the start of a day in the reader's own zone. */
export function windowOf(name: Exclude<WindowName, 'dates'>, nowMs: number): Window {
  if (name === 'all') return { from: undefined, to: undefined };
  return { from: startOfDay(new Date(nowMs), 1 - DAYS[name]), to: undefined };
}

/** The time that an address stands for; `usual` where it says none. */
export function windowOfPeriod(
  { time, from, to }: Period,
  usual: Exclude<WindowName, 'dates'>,
  nowMs: number,
): Window {
  if (time !== 'dates') return windowOf(time ?? usual, nowMs);
  return {
    from: from === undefined ? undefined : startOfDay(readDay(from)),
    to: to === undefined ? undefined : startOfDay(readDay(to), 1),
  };
}

/** Midnight of a day as its reader's clock shows it; `days` later. */
function startOfDay(date: Date, days = 0): number {
  const start = new Date(date);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() + days);
  return start.getTime();
}

/** A day as the address writes it, at noon, so that no clock change makes it another day. */
const readDay = (text: string): Date => new Date(`${text}T12:00:00`);

/** A time as a day of the reader's own zone: `2026-11-30`. */
export function dayOf(atMs: number): string {
  const date = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
