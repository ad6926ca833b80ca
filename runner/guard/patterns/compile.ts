import { SECRET_MIN_CHARS } from '../secrets.ts';
import { tableOfBase64 } from './base64-forms.ts';
import { tableOfBytes } from './bytes.ts';
import { parsePattern, PATTERN_MAX_CHARS, PatternFault } from './expression.ts';
import type { Table } from './explore.ts';
import { measure } from './measure.ts';
import { endOfMatch } from './run.ts';
import { tablesOfText } from './text-forms.ts';

/** A pattern made ready: a table for each way in which its matches stand in text. */
export type Compiled = {
  tables: readonly Table[];
  /** The longest that a match can stand in text, in characters. */
  longest: number;
  /** So many characters at its start are always the same. */
  fixed: number;
};

/** What every event is made of. A pattern that matches it would hide what is needed to go on. */
const ORDINARY = [
  'ses_9f2c4e1a7b3d4c5e8f60',
  'toolu_01A9bC3dE5fG7hJ9kL1mN3pQ',
  'call_8Zy6Xw4Vu2Ts0Rq9Pn7Ml5Kj',
  '5f0c1d2e-3b4a-4958-8776-95a4b3c2d1e0',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '2026-01-02T03:04:05.678Z',
  'approval/requested',
  'the quick brown fox jumps over the lazy dog',
];

/** Compiled patterns by their source: limits are read again at every command. */
const known = new Map<string, Compiled>();
/** Far more than one file of limits holds. */
const KNOWN_MAX = 128;

/**
 * Makes a pattern ready, once. Throws {@link PatternFault} for one that is no bounded regular
 * expression, that matches less than {@link SECRET_MIN_CHARS} characters or more than
 * {@link PATTERN_MAX_CHARS}, or that is about what everything is made of.
 */
export function compilePattern(source: string): Compiled {
  const before = known.get(source);
  if (before) return before;
  const expression = parsePattern(source);
  const { min, max, longest, fixed } = measure(expression);
  if (min < SECRET_MIN_CHARS)
    throw new PatternFault(
      `matches ${min} characters: what is shorter than ${SECRET_MIN_CHARS} stands anywhere by chance`,
    );
  if (max > PATTERN_MAX_CHARS)
    throw new PatternFault(
      `matches up to ${max} characters: ${PATTERN_MAX_CHARS} is the most, so lower an upper limit`,
    );
  const bytes = tableOfBytes(expression);
  const matched = ORDINARY.find((word) => isFoundIn(bytes, word));
  if (matched !== undefined)
    throw new PatternFault(
      `matches a part of ${JSON.stringify(matched)}, and with it what every session is made of: begin it with what the secret begins with`,
    );
  const compiled = {
    tables: [...tablesOfText(bytes), tableOfBase64(bytes)],
    longest: Math.max(longest, Math.ceil((max * 4) / 3) + 2),
    fixed,
  };
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(source, compiled);
  return compiled;
}

/** Why a pattern cannot be looked for, as the end of a sentence; null when it can. */
export function patternFault(source: string): string | null {
  try {
    compilePattern(source);
    return null;
  } catch (error) {
    if (error instanceof PatternFault) return error.message;
    throw error;
  }
}

function isFoundIn(table: Table, text: string): boolean {
  return Array.from(text).some((_, from) =>
    table.starts.some((state) => endOfMatch(table, state, text, from).end !== null),
  );
}
