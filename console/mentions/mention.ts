import { type mentionsOf, mentionFile } from '../../protocol/find-files.ts';

/** An `@` that a person is typing a file after, by its place in the text. */
export type Mention = { start: number; query: string };

/** What may stand before the `@` of a file; after anything else it is an address or a decorator. */
const BEFORE = /[\s([{"'`]/;
/** Nobody types on for so long to name a file. */
const QUERY_MAX_CHARS = 200;

/** The mention in which the caret stands; null when it stands in none. Pure. */
export function findMention(text: string, caret: number): Mention | null {
  // Before the first letter there is nothing, which `lastIndexOf` does not know.
  const start = caret === 0 ? -1 : text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret - start > QUERY_MAX_CHARS) return null;
  const before = text[start - 1];
  if (before !== undefined && !BEFORE.test(before)) return null;
  const query = text.slice(start + 1, caret);
  return /\s/.test(query) ? null : { start, query };
}

/**
 * The text with the file in the place of what was typed for it, as the engine is pointed to one,
 * and the caret after it. Pure.
 */
export function insertMention(
  text: string,
  { start, query }: Mention,
  path: string,
  mentions: ReturnType<typeof mentionsOf>,
): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length);
  const file = mentionFile(path, mentions);
  const gap = /^\s/.test(rest) ? '' : ' ';
  return { text: `${text.slice(0, start)}${file}${gap}${rest}`, caret: start + file.length + 1 };
}
