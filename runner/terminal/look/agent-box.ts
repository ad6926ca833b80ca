import type { LineVerdict } from './prompt-line.ts';

/** How claude begins the box that it is typed into. */
const BOX = /^❯(\s|$)/;
/** How it shows a paste of several lines, or of one that is long. */
const FOLDED = /^\[Pastedtext#\d+(\+\d+lines)?\]$/;
/** What is longer in characters is folded by claude 2.1.332, which takes a tab for four spaces. */
const FOLDED_CHARS = 800;
/** What has a meaning of its own at the beginning: `!` runs a command in a shell, past every policy. */
const MEANS_MORE = /^\s*[!/#&@]/;

/** What stands in the box of a coding agent, without spaces: it folds lines by its own measure. */
export type AgentBox = string;

/**
 * Reads what was typed into the box that the cursor is in, out of the screen's rows down to that of
 * the cursor. Null where no box is seen. Pure.
 */
export function readBox(rows: readonly string[]): AgentBox | null {
  const begin = rows.findLastIndex((row) => BOX.test(row));
  if (begin < 0) return null;
  const [first = '', ...rest] = rows.slice(begin);
  // What is folded is indented; anything else below belongs to something else.
  if (rest.some((row) => row.trim() !== '' && !row.startsWith('  '))) return null;
  return withoutSpaces([first.replace(BOX, ''), ...rest].join(''));
}

/** Decides whether the box is empty; one that is not seen is not. Pure. */
export const decideBox = (box: AgentBox | null): LineVerdict =>
  box === null ? 'unclear' : box === '' ? 'empty' : 'typed';

/** Whether the box holds this text and nothing else. Pure. */
export const holdsOnly = (box: AgentBox | null, text: string): boolean =>
  box !== null && (box === withoutSpaces(text) || (isFolded(text) && FOLDED.test(box)));

const isFolded = (text: string): boolean =>
  text.includes('\n') || text.replaceAll('\t', '    ').length > FOLDED_CHARS;

/**
 * Whether what stands in a box that was empty before this text was pasted is of the paste alone:
 * a part of it too, and a mark of whatever form. Pure.
 */
export const isOfPaste = (box: AgentBox | null, text: string): boolean =>
  box !== null && (withoutSpaces(text).startsWith(box) || FOLDED.test(box));

/** Whether an agent would take text for something else than words to it. Pure. */
export const meansMore = (text: string): boolean => MEANS_MORE.test(text);

const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '');
