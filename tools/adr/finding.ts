import type { AdrFinding, AdrPlace } from '../../protocol/adr-report.ts';

/**
 * Something found. Not `certain` is what could not be decided (a file that does not parse, an
 * import computed at run time): it keeps the check from passing, and makes it say "could not
 * check" instead of "violated".
 */
export type Finding = Omit<AdrFinding, 'uncertain'> & { certain: boolean };

export type At = { path: string; line?: number | null; column?: number | null };

/** A finding at a place, or about everything where `at` is null. */
export function found(at: At | null, message: string, excerpt: string | null = null): Finding {
  const place: AdrPlace | null = at && {
    path: at.path,
    line: at.line ?? null,
    column: at.column ?? null,
  };
  return { place, message, excerpt, waiver: null, certain: true };
}

/** A finding about what could not be decided. */
export function undecided(at: At | null, message: string, excerpt: string | null = null): Finding {
  return { ...found(at, message, excerpt), certain: false };
}

/** A finding in the form of the report. */
export function toReport({ certain, ...finding }: Finding): AdrFinding {
  return certain ? finding : { ...finding, uncertain: true };
}

const EXCERPT_CHARACTERS = 160;

/** A line of source as an excerpt: trimmed, and cut where it is too long to read. */
export function excerptOf(line: string): string {
  const text = line.trim();
  return text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, EXCERPT_CHARACTERS - 1)}…`;
}
