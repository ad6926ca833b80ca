import { z } from 'zod';
import type { SessionLimits } from './launch.ts';

const TIMES = { '': 1, k: 1_000, m: 1_000_000 } as const;
const scale = z.enum(['', 'k', 'm']);
const COUNT_MAX = 1_000_000_000_000;
const MINUTE_MS = 60_000;

/** The mark before the digits of a fraction, as a person types it. */
export type DecimalMark = '.' | ',';

/**
 * A number as a person types it, with a point before its fraction: their own mark is read, and a
 * point too where it can be nothing else. What groups digits where they live is refused, because
 * half of all readers take `1.500` for a thousand times what the others do. Null for anything else.
 */
export function readDecimal(text: string, mark: DecimalMark = '.'): string | null {
  if (!/^\d+([.,]\d+)?$/.test(text) || isGrouped(text, mark)) return null;
  if (mark === ',') return text.replace(',', '.');
  return text.includes(',') ? null : text;
}

/** The same where both marks are taken for the one before a fraction, unless one parts thousands. */
export const readEitherMark = (text: string, mark: DecimalMark = '.'): string | null =>
  text.includes(',') && !isGrouped(text, mark) ? readDecimal(text, ',') : readDecimal(text, mark);

/** Whether digits are parted as in a thousand: by the mark that is not the one before a fraction. */
function isGrouped(text: string, mark: DecimalMark): boolean {
  const grouped =
    mark === ',' ? /^[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/ : /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
  return grouped.test(text);
}

/** What to type in the place of an amount that may mean a thousand or one; null where it is none. */
export function groupingProblem(text: string, mark: DecimalMark = '.'): string | null {
  const digits = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/\s*[kKmM]$/, '');
  if (!isGrouped(digits, mark)) return null;
  const whole = digits.replaceAll(mark === ',' ? '.' : ',', '');
  return `${digits} can be read in two ways. Give ${whole} without a mark between its thousands, and a fraction as in 2${mark}5.`;
}

/** Tokens as a person types them (`500000`, `500k`, `2.5M`); null for anything else. */
export function parseTokens(text: string, mark: DecimalMark = '.'): number | null {
  const match = /^([\d.,]+)\s*([km]?)$/.exec(text.trim().toLowerCase());
  const by = scale.safeParse(match?.[2]);
  const amount = readDecimal(match?.[1] ?? '', mark);
  if (amount === null || !by.success || !/^\d{1,12}(\.\d{1,6})?$/.test(amount)) return null;
  // There is no part of a token: digits after a mark are its thousands, or a mistake.
  if (by.data === '' && amount.includes('.')) return null;
  const tokens = Math.round(Number(amount) * TIMES[by.data]);
  return tokens > 0 && tokens <= COUNT_MAX ? tokens : null;
}

/** A count of turns as a person types it; null for anything else. */
export function parseTurns(text: string): number | null {
  const turns = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return turns > 0 ? turns : null;
}

/** Minutes of work as a person types them (`90`, `0.5`), in ms; null for anything else. */
export function parseWorkMinutes(text: string, mark: DecimalMark = '.'): number | null {
  const typed = readDecimal(text.trim(), mark) ?? '';
  const ms = /^\d{1,6}(\.\d{1,3})?$/.test(typed) ? Math.round(Number(typed) * MINUTE_MS) : 0;
  return ms >= 1_000 ? ms : null;
}

/** A number as a form has it before anybody types, with the mark of who reads it. */
export const writeDecimal = (value: number, mark: DecimalMark = '.'): string =>
  String(value).replace('.', mark);

/** The limits of a session beside dollars; null where there is none of any kind. */
export function limitsOf(given: {
  tokens?: number | null | undefined;
  turns?: number | null | undefined;
  timeMs?: number | null | undefined;
}): SessionLimits | null {
  const { tokens = null, turns = null, timeMs = null } = given;
  return tokens === null && turns === null && timeMs === null ? null : { tokens, turns, timeMs };
}
