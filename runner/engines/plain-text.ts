/** U+2060, word joiner: without width, and no white space that an engine would trim. */
const WORD_JOINER = '\u2060';

/**
 * What a person types is an instruction, never a command of the engine: `/clear` would change the
 * conversation's id, `/model` its model. An invisible character before the slash is enough, seen
 * on claude 2.1.197 and 2.1.332 and on gemini 0.61.0.
 */
export function asPlainText(text: string): string {
  return /^\s*\//.test(text) ? `${WORD_JOINER}${text.trimStart()}` : text;
}
