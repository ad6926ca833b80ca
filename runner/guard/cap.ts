import { createHash } from 'node:crypto';
import { wholeText, type CappedText } from '../../protocol/text.ts';

/** `head` suits prose and input; `headTail` suits output, whose last lines hold the verdict. */
export type CapOptions = { keep: 'head' | 'headTail' };

/**
 * Cuts a text to at most `maxBytes` bytes of UTF-8, never inside a character. A cut text carries
 * the size in bytes and the SHA-256 of the whole, so that the part can be matched to the rest.
 *
 * A cut may leave half a secret, which no longer equals its value. Redact first where the secrets
 * are known; where they are not, as in a parser, the redactor looks for halves beside the cuts.
 */
export function capText(text: string, maxBytes: number, options: CapOptions): CappedText {
  // A UTF-16 unit never takes more than three bytes, so short texts need no counting.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return wholeText(text);
  const whole = Buffer.from(text);
  return {
    text: options.keep === 'head' ? headOf(whole, maxBytes) : headAndTailOf(whole, maxBytes),
    truncated: { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') },
  };
}

function headOf(whole: Buffer, maxBytes: number): string {
  return whole.toString('utf8', 0, startOfCharacter(whole, maxBytes));
}

function headAndTailOf(whole: Buffer, maxBytes: number): string {
  // The count in the marker is at most that of the whole, so this is the longest it can get.
  const room = maxBytes - Buffer.byteLength(marker(whole.length));
  if (room <= 0) return headOf(whole, maxBytes);
  const headEnd = startOfCharacter(whole, Math.ceil(room / 2));
  const tailStart = endOfCharacter(whole, whole.length - Math.floor(room / 2));
  const left = tailStart - headEnd;
  return whole.toString('utf8', 0, headEnd) + marker(left) + whole.toString('utf8', tailStart);
}

function marker(bytes: number): string {
  return `\n… ${bytes} bytes left out …\n`;
}

/** Where a text was cut in its middle: what stands beside it may be half of something. */
export const CUT_MARKER = /\n… \d+ bytes left out …\n/;

/** The last boundary between two characters at or before `at`. */
function startOfCharacter(whole: Buffer, at: number): number {
  let index = Math.max(0, Math.min(at, whole.length));
  while (index > 0 && isContinuation(whole[index])) index--;
  return index;
}

/** The first boundary between two characters at or after `at`. */
function endOfCharacter(whole: Buffer, at: number): number {
  let index = Math.max(0, at);
  while (index < whole.length && isContinuation(whole[index])) index++;
  return index;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
