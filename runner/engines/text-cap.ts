import { type CappedText, EVENT_TEXT_MAX_BYTES } from '../../protocol/text.ts';
import { capText } from '../guard/cap.ts';

/** Cuts to the first `maxBytes` bytes. */
export function capHead(text: string, maxBytes: number = EVENT_TEXT_MAX_BYTES): CappedText {
  return capText(text, maxBytes, { keep: 'head' });
}

/**
 * Cuts out the middle: the end of a tool's output often says more than its beginning. The mark
 * at the cut is the one beside which redaction looks for half a secret.
 */
export function capEnds(text: string, maxBytes: number = EVENT_TEXT_MAX_BYTES): CappedText {
  return capText(text, maxBytes, { keep: 'headTail' });
}

/** One line of at most `maxChars` characters for a folded call or a request. */
export function oneLine(text: string, maxChars = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
