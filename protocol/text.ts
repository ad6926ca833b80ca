import { z } from 'zod';

/**
 * Text of an event, cut to what a transcript needs. The whole text stays on the runner and is
 * fetched on demand; its size and hash are known here, so that a cut is never silent.
 */
export const cappedText = z.object({
  text: z.string(),
  truncated: z.object({ bytes: z.int().nonnegative(), sha256: z.string() }).nullable(),
});
export type CappedText = z.infer<typeof cappedText>;

/** Most bytes of one text in an event; a tool's output is cut to its head and its tail. */
export const EVENT_TEXT_MAX_BYTES = 16 * 1024;
/** Most bytes of an assistant's text block: people read these whole. */
export const BLOCK_TEXT_MAX_BYTES = 256 * 1024;

/**
 * Most text blocks of one session that are followed while they are written: of more, the oldest are
 * shown when they are complete. With {@link BLOCK_TEXT_MAX_BYTES} it bounds what text on its way takes,
 * however many deltas it comes in.
 */
export const OPEN_BLOCKS_MAX = 32;

/** A text that fits as it is. */
export function wholeText(text: string): CappedText {
  return { text, truncated: null };
}

/** Characters of a token, roughly, in the languages and code that engines are given. */
const CHARS_PER_TOKEN = 4;

/** About how many tokens a text of so many characters is: to show, never to bill by. */
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
