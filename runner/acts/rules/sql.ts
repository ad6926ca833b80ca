import { WORD_MAX_CHARS } from '../scope.ts';
import type { Finding } from '../types.ts';

/**
 * Statements by how they begin, the first match wins. What only reads or adds rows is none, and
 * neither is a temporary table, which nobody else has.
 */
const STATEMENTS: readonly (readonly [RegExp, Finding['kind'] | null])[] = [
  [/^(create|alter|drop)\s+(role|user|login|group|policy)\b/, 'permission'],
  [/^(grant|revoke|reassign\s+owned|alter\s+default\s+privileges)\b/, 'permission'],
  [/^alter\b.*\bowner\s+to\b/, 'permission'],
  [/^drop\s+temp(orary)?\s+table\b/, null],
  [/^drop\b/, 'drop'],
  [/^truncate\b/, 'drop'],
  [/^delete\s+from\b(?!.*\bwhere\b)/, 'drop'],
  [/^alter\s+table\b.*\bdrop\b/, 'drop'],
  [/^create\s+(local\s+|global\s+)?temp(orary)?\b/, null],
  [/^(alter|create|rename|reindex)\b/, 'migration'],
];

/** A text that is so long was cut, or is not read past it: what comes there may drop anything. */
export const unreadPast = (text: string): Finding[] =>
  text.length < WORD_MAX_CHARS
    ? []
    : [
        {
          kind: 'drop',
          target: 'the rest of a text that is too long to be read whole',
          uncertain: true,
        },
      ];

/** What the statements of an SQL text do to a database beyond its rows. Pure. */
export function readSql(text: string): Finding[] {
  const kinds = new Map<Finding['kind'], string>();
  for (const statement of splitStatements(text.slice(0, WORD_MAX_CHARS))) {
    const found = STATEMENTS.find(([begins]) => begins.test(statement.toLowerCase()));
    const kind = found?.[1];
    if (kind && !kinds.has(kind)) kinds.set(kind, statement.slice(0, 80));
  }
  return [...[...kinds].map(([kind, target]) => ({ kind, target })), ...unreadPast(text)];
}

/** Remarks and texts, each where none of the others is around it; what is not closed goes to the end. */
const BESIDE = /\/\*[^]*?(?:\*\/|$)|--[^\n]*|'(?:[^']|'')*(?:'|$)/g;

function splitStatements(text: string): string[] {
  return text
    .replaceAll(BESIDE, (part) => (part.startsWith("'") ? "''" : ' '))
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
}
