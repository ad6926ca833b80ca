import { stripVTControlCharacters } from 'node:util';
import { keepNames } from './command-name.ts';

export {
  formatDuration,
  formatMoney,
  formatSpend,
  formatTokens,
  tokensOf,
} from '../../protocol/figures.ts';

/** Everything of C0 and C1 but tab and line feed. */
const CONTROL_CHARACTERS = /(?![\t\n])\p{Cc}/gu;
/** They turn the direction of what follows, so that a person reads other words than there are. */
const TURNING_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A moment (Unix ms) by the clock of this machine: `2026-12-01 09:30`. */
export function formatClock(at: number): string {
  return new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

/** How long ago something was: `now`, `5m ago`, `3d ago`. */
export function formatAgo(at: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ago` : `${Math.floor(hours / 24)}d ago`;
}

/**
 * Text from outside made harmless for a terminal: escape sequences and control characters go,
 * because they could move the cursor, change the title or rewrite what was printed before.
 */
export function plainText(text: string): string {
  return keepNames(harmless(text));
}

/** The same of a sentence of ours that came from somewhere else: what it tells to run is named as here. */
export const ownSentence = (text: string): string => harmless(text);

function harmless(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(CONTROL_CHARACTERS, '')
    .replaceAll(TURNING_CHARACTERS, '');
}

/** One line of at most `maxChars`, for a table or a folded call. */
export function oneLine(text: string, maxChars: number): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}

/** Columns of the terminal; what is piped into a file or a program has no edge. */
const terminalColumns = (): number => process.stdout.columns || Infinity;

/**
 * Rows under headings, in columns as wide as their widest cell. Where a terminal is too narrow for
 * that, each row is a paragraph of its own: a line that the terminal breaks is no table any more.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns = terminalColumns(),
): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const whole = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (whole > columns) return rows.map((row) => formatRow(headings, row, columns)).join('\n');
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

const GAP = '  ';

/**
 * The cells of a row one after the other, on as many lines as they need, the first at the edge. A
 * cell that is longer than a line is broken between words: half a figure would be another figure.
 */
function formatRow(headings: readonly string[], row: readonly string[], columns: number): string {
  const lines: string[] = [];
  for (const [index, cell] of row.entries()) {
    if (cell === '') continue;
    // A bare number says nothing without the heading that is not above it now.
    const text = /^\d+$/.test(cell) ? `${headings[index]?.toLowerCase()} ${cell}` : cell;
    const fits = GAP.length + text.length <= columns;
    for (const [part, word] of (fits ? [text] : text.split(' ')).entries())
      addWord(lines, word, part === 0 ? GAP : ' ', columns);
  }
  return lines.join('\n');
}

function addWord(lines: string[], word: string, gap: string, columns: number): void {
  const last = lines.at(-1);
  if (last !== undefined && last.length + gap.length + word.length <= columns)
    lines[lines.length - 1] = `${last}${gap}${word}`;
  else lines.push(`${lines.length > 0 ? GAP : ''}${word}`);
}
