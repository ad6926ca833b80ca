import type { DecimalMark } from '../../protocol/amounts.ts';
import type { FigureForm } from '../../protocol/figure-form.ts';

/**
 * The one place where figures and times get the form of the person’s own languages, as the browser
 * names them: which digits, which marks, which order, twelve hours or twenty-four.
 */
const wanted = (): readonly string[] => globalThis.navigator?.languages ?? [];

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** A formatter costs far more than what it formats: each is made once for each choice of languages. */
function once<F extends Intl.NumberFormat | Intl.DateTimeFormat>(
  kind: 'number' | 'time',
  options: object,
  make: (locales: string[]) => F,
): F {
  const locales = [...wanted()];
  const key = JSON.stringify([kind, locales, options]);
  const known = made.get(key) as F | undefined;
  if (known) return known;
  const formatter = make(locales);
  made.set(key, formatter);
  return formatter;
}

const numbers = (options: Intl.NumberFormatOptions) =>
  once('number', options, (locales) => new Intl.NumberFormat(locales, options));
const times = (options: Intl.DateTimeFormatOptions) =>
  once('time', options, (locales) => new Intl.DateTimeFormat(locales, options));

/** A whole number, grouped: `1,200`. */
export const formatCount = (count: number): string => numbers({}).format(count);

/** A number with so many digits after its mark, or as few of them as it has. */
export const formatDecimal = (value: number, digits: number, fewer = false): string =>
  numbers({
    minimumFractionDigits: fewer ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(value);

/** US dollars with so many digits after the mark. There is no other money here, so its sign is the short one. */
export const formatDollars = (dollars: number, digits: number): string =>
  numbers({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(dollars);

/** The mark before the digits of a fraction, as the person types it: `.` or `,`. */
export const decimalMark = (): DecimalMark =>
  numbers({})
    .formatToParts(1.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.';

/** Date and time in full, with the zone that they are in. */
export const formatMoment = (atMs: number): string =>
  times({ dateStyle: 'medium', timeStyle: 'long' }).format(atMs);

/** The time of the day, with the date or without. */
export const formatTime = (atMs: number, withDate: boolean): string =>
  times({
    hour: '2-digit',
    minute: '2-digit',
    ...(withDate && { day: 'numeric', month: 'short' }),
  }).format(atMs);

/** A day or a month of a ledger (`2026-11-30`, `2026-11`), which are counted in UTC; other words stay. */
export function formatDay(key: string): string {
  const at = /^\d{4}-\d{2}(-\d{2})?$/.test(key) ? Date.parse(key) : NaN;
  if (Number.isNaN(at)) return key;
  const day = key.length > 7 ? ({ day: 'numeric' } as const) : {};
  return times({ ...day, month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at);
}

/** What gives the sentences of the protocol their figures and times. */
export const OWN_FORM: FigureForm = {
  count: formatCount,
  decimal: formatDecimal,
  dollars: formatDollars,
  clock: (atMs, timeZone) => times({ timeStyle: 'short', timeZone }).format(atMs),
  moment: (atMs, timeZone) =>
    times({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(atMs),
};

/** The name of the time zone in which this browser is: `Europe/Berlin`. */
export const timeZoneHere = (): string => times({}).resolvedOptions().timeZone;
