import { formatDecimal, formatMoment, formatTime } from './locale.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in one unit: `now`, `12 s ago`, `3 min ago`. Clocks that disagree read as now. */
export function formatAgo(atMs: number, nowMs: number): string {
  const passed = nowMs - atMs;
  if (passed < 5 * SECOND) return 'now';
  return `${formatSpan(passed)} ago`;
}

/** How long until then: `in 12 s`, `in 58 min`; `now` once it has come. */
export function formatUntil(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? 'now' : `in ${formatSpan(atMs - nowMs)}`;
}

/** A span in its largest whole unit: `12 s`, `3 min`, `2 h`, `5 d`. */
export function formatSpan(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** A duration as an instrument shows it: `80 ms`, `3.2 s`, `2m 14s`, `1h 05m`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  // From 59.95 s on, one decimal would print `60.0 s`.
  if (ms < 59_950) return `${formatDecimal(ms / SECOND, 1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3_600)}h ${pad(Math.floor((seconds % 3_600) / 60))}m`;
}

/** Date and time in full, in the reader's own zone: what a relative time says on hover. */
export const formatAbsolute = (atMs: number): string => formatMoment(atMs);

/** The time of the day, with the date when it was another day. */
export function formatClock(atMs: number, nowMs: number): string {
  const sameDay = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return formatTime(atMs, !sameDay);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
