/** Text of any kind as one word of a POSIX shell, in quotes. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A word as a POSIX shell, zsh or fish reads it back unchanged, in quotes only where it needs them:
 * zsh looks up what begins with `=`, and braces around a list or a range make several words.
 */
export const shellWord = (text: string): string =>
  /^(?!=)(?:[\w@%+=:,./-]|\{\w*\})+$/.test(text) ? text : quoteText(text);
