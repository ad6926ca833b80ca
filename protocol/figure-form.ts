/** The form that a reader's languages give to the figures and times of a sentence. */
export type FigureForm = {
  /** A whole number. */
  count(value: number): string;
  /** A number with so many digits after its mark. */
  decimal(value: number, digits: number): string;
  /** US dollars with so many digits after the mark. */
  dollars(dollars: number, digits: number): string;
  /** The time of the day in a zone, without seconds; Unix ms. */
  clock(atMs: number, zone: string): string;
  /** Date and time in a zone, without seconds; Unix ms. */
  moment(atMs: number, zone: string): string;
};

const fixed = (value: number, digits: number): string =>
  value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** Where nobody's languages are known, as on a command line and in the Worker: American figures, dates as ISO 8601. */
export const PLAIN_FORM: FigureForm = {
  count: (value) => fixed(value, 0),
  decimal: fixed,
  dollars: (dollars, digits) => `$${fixed(dollars, digits)}`,
  clock: (atMs, zone) =>
    new Intl.DateTimeFormat('sv', { timeZone: zone, timeStyle: 'short' }).format(atMs),
  moment: (atMs, zone) =>
    new Intl.DateTimeFormat('sv', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(atMs),
};
