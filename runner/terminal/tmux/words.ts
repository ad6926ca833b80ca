/**
 * How words reach tmux without meaning anything to it: as arguments of a process, where an ending
 * `;` would end the command, and as a line of control mode, where quotes and newlines count.
 */

export type Words = readonly string[];

/** Arguments of a `tmux` process that runs these commands in order, as one. */
export const asArguments = (...commands: readonly Words[]): string[] =>
  commands.flatMap((words, index) => [...(index === 0 ? [] : [';']), ...words.map(asArgument)]);

const asArgument = (word: string): string =>
  word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;

/** One line of control mode. Throws for words that no line can hold. */
export function asLine(words: Words): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  // A newline inside of quotes would begin another command (tmux(1), PARSING SYNTAX).
  if (/\p{Cc}/u.test(word)) throw new RangeError('a control character in a word for tmux');
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Text where tmux reads formats: `#(…)` there would run a program. */
export const asFormatText = (text: string): string => text.replaceAll('#', '##');
