import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../json.ts';

const count = z.int().nonnegative();

/** Why a call was not begun. */
export const refusal = z.enum(['spent', 'too_large', 'unpriced', 'unknown_endpoint']);
export type Refusal = z.infer<typeof refusal>;

/** One call of a session: what it came to, or why it was refused. */
export const journalEntry = z.object({
  at: z.int(),
  model: z.string(),
  refused: refusal.nullable(),
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** Null for a model without a known price. */
  microUsd: count.nullable(),
  /** The provider's own figures; else an upper bound of an answer that broke off. */
  told: z.boolean(),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/**
 * A session's calls, a line each: written by the gate before an engine has the end of its answer,
 * read by whichever runner is there.
 */
export function appendCall(path: string, entry: JournalEntry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** The calls beyond `offset` bytes, and the offset to read on at; none where there is no journal. */
export function readCalls(
  path: string,
  offset: number,
): { entries: JournalEntry[]; offset: number } {
  const text = readFrom(path, offset);
  const end = text.lastIndexOf('\n') + 1;
  const entries = text
    .slice(0, end)
    .split('\n')
    .flatMap((line) => {
      const parsed = journalEntry.safeParse(parseJson(line));
      return parsed.success ? [parsed.data] : [];
    });
  return { entries, offset: offset + Buffer.byteLength(text.slice(0, end)) };
}

function readFrom(path: string, offset: number): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(file);
  }
}
