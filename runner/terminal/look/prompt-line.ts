/** What stands on the line of the cursor, cut at the cursor. */
export type CursorLine = { before: string; after: string };

/**
 * Whether a shell's line is empty. `ours`: it holds exactly what was typed through here before.
 * `typed`: somebody's text. `unclear` is treated as if it were somebody's.
 */
export type LineVerdict = 'empty' | 'ours' | 'typed' | 'unclear';

/** How prompts end: one of these, and a space at most. */
const END = /[$#%>❯➜»λ] ?$/u;
const END_AND_MORE = /[$#%>❯➜»λ] +\S/u;
/** What a shell shows while it waits for the rest of a command: `> `, and zsh's `dquote> `. */
const CONTINUES = /^\s*([a-z]+ ?)*>+\s*$/;

/**
 * Decides from the looks of a line whether anything was typed on it: no shell can be asked. Pure.
 * `pending` is the line as it was after our own last words.
 */
export function decideLine(line: CursorLine, pending: CursorLine | null): LineVerdict {
  if (pending?.before === line.before && pending.after === line.after) return 'ours';
  // Words after the cursor: somebody went back in their text, or a prompt has a right-hand part.
  if (line.after.trim() !== '') return 'unclear';
  if (CONTINUES.test(line.before)) return 'unclear';
  // A prompt's sign in the middle with words after it: most of all, a prompt and what was typed.
  if (END_AND_MORE.test(line.before)) return 'typed';
  return END.test(line.before) ? 'empty' : 'unclear';
}

/** Characters that take two cells or none, so that cells cannot be counted by characters. */
const UNEVEN =
  /\p{Mn}|\p{Me}|\p{Cf}|\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Cuts the screen's line at the cursor's cell; null where cells cannot be told by characters. */
export function cutAtCursor(row: string, x: number): CursorLine | null {
  if (UNEVEN.test(row)) return null;
  const characters = Array.from(row);
  const before = characters.slice(0, x).join('').padEnd(x);
  return { before, after: characters.slice(x).join('') };
}
