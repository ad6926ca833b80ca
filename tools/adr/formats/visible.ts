/**
 * Characters that act on a terminal or hide from a reader instead of showing: controls (escape
 * sequences begin with one), format characters (bidirectional overrides, zero-width joiners, the
 * byte order mark), line and paragraph separators, halves of a surrogate pair.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escape = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * One line that shows all of a text. A hidden character is written as its escape and not dropped:
 * whoever looks for the file with the odd name must be able to find it.
 */
export function visibleLine(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(HIDDEN, escape);
}

/** The lines of a text, each as {@link visibleLine} shows it. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map(visibleLine);
}

/**
 * Visible lines of at most `width` columns, broken between words. A word that is longer stays
 * whole, because a path that is cut in two can be neither clicked nor copied.
 */
export function wrapText(text: string, width: number): string[] {
  return visibleLines(text).flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(/ +/)) {
      if (current !== '' && current.length + 1 + word.length > width) {
        lines.push(current);
        current = word;
      } else {
        current = current === '' ? word : `${current} ${word}`;
      }
    }
    return [...lines, current];
  });
}
