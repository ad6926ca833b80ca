import { Temporal } from 'temporal-polyfill';
import type { DigestChoice } from '../../protocol/digest.ts';

/** The calendar day of a time, where the person is: `2026-11-30`. Pure. */
export const dayOf = (atMs: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/**
 * When the next digest is due, Unix ms: the first time after `afterMs` that their clock shows the time
 * of day, on a day later than `lastDay`. Where the clock jumps over it, it is when the clock has
 * jumped; where it shows it twice, it is the first one. Pure.
 */
export function nextDigest(
  { at, timeZone }: DigestChoice,
  afterMs: number,
  lastDay: string | null,
): number {
  const time = Temporal.PlainTime.from({ hour: Math.floor(at / 60), minute: at % 60 });
  const after = Temporal.Instant.fromEpochMilliseconds(afterMs);
  let day = after.toZonedDateTimeISO(timeZone).toPlainDate();
  if (lastDay !== null) {
    const next = Temporal.PlainDate.from(lastDay).add({ days: 1 });
    if (Temporal.PlainDate.compare(day, next) < 0) day = next;
  }
  for (;;) {
    const due = day.toZonedDateTime({ timeZone, plainTime: time }).toInstant();
    if (Temporal.Instant.compare(due, after) > 0) return due.epochMilliseconds;
    day = day.add({ days: 1 });
  }
}
