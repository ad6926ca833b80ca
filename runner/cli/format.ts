import { stripVTControlCharacters } from 'node:util';
import { SPEND_BUCKETS, type BucketTotal, type SpendTotals } from '../../protocol/usage.ts';

const CENT_MICRO_USD = 10_000;
/** Everything of C0 and C1 but tab and line feed. */
const CONTROL_CHARACTERS = /(?![\t\n])\p{Cc}/gu;

/** Money to the cent. What is more than nothing and less than a cent says so. */
export function formatMoney(microUsd: number): string {
  if (microUsd > 0 && microUsd < CENT_MICRO_USD) return '< $0.01';
  const cents = Math.round(microUsd / CENT_MICRO_USD);
  const dollars = Math.floor(cents / 100).toLocaleString('en-US');
  return `$${dollars}.${String(cents % 100).padStart(2, '0')}`;
}

/** A count of tokens, short: `412`, `790 K`, `1.2 M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)} K`;
  return `${(tokens / 1_000_000).toFixed(1)} M`;
}

/** A span of time as a person says it: `0.4 s`, `12 s`, `2m 14s`, `1h 3m`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m ${seconds % 60}s`
    : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
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
 * Spend with its provenance, one figure per bucket and never a sum of them. Nothing recorded is
 * said in words: absence is not zero.
 */
export function formatSpend(totals: SpendTotals): string {
  const parts = SPEND_BUCKETS.flatMap((bucket) => {
    const total = totals[bucket];
    return total ? [formatBucket(bucket, total)] : [];
  });
  return parts.length > 0 ? parts.join(' + ') : 'no usage recorded';
}

function formatBucket(bucket: (typeof SPEND_BUCKETS)[number], total: BucketTotal): string {
  const tokens = `${formatTokens(tokensOf(total))} tokens`;
  switch (bucket) {
    case 'rehearsal':
      return 'rehearsal, nothing paid';
    case 'unmetered':
      return `unmetered (${tokens})`;
    case 'unsettled':
      return 'unsettled, the turn died before its figure';
    case 'reported':
    case 'estimated':
    case 'notional': {
      if (total.unpriced === total.entries) return `${tokens} without a price (${bucket})`;
      const short = total.unpriced > 0 ? `, ${total.unpriced} without a price` : '';
      return `${formatMoney(total.microUsd)} ${bucket}${short}`;
    }
    default:
      return bucket satisfies never;
  }
}

/** All tokens of a total, read from a cache or not. */
export function tokensOf(total: BucketTotal): number {
  return total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheWriteTokens;
}

/**
 * Text from outside made harmless for a terminal: escape sequences and control characters go,
 * because they could move the cursor, change the title or rewrite what was printed before.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(CONTROL_CHARACTERS, '');
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
