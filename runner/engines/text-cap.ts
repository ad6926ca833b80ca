import { createHash } from 'node:crypto';
import { type CappedText, EVENT_TEXT_MAX_BYTES, wholeText } from '../../protocol/text.ts';

/** How far back a cut looks for white space, in characters: longer than any secret we know of. */
const BOUNDARY_SEARCH_CHARS = 1024;

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Size and hash of a text that is not sent whole, so that a cut is never silent. */
function truncation(text: string): NonNullable<CappedText['truncated']> {
  return { bytes: byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** Cuts to the first `maxBytes` bytes. */
export function capHead(text: string, maxBytes: number = EVENT_TEXT_MAX_BYTES): CappedText {
  if (byteLength(text) <= maxBytes) return wholeText(text);
  return { text: `${headOf(text, maxBytes)}\n…`, truncated: truncation(text) };
}

/** Cuts out the middle: the end of a tool's output often says more than its beginning. */
export function capEnds(text: string, maxBytes: number = EVENT_TEXT_MAX_BYTES): CappedText {
  if (byteLength(text) <= maxBytes) return wholeText(text);
  const half = Math.floor(maxBytes / 2);
  return { text: `${headOf(text, half)}\n…\n${tailOf(text, half)}`, truncated: truncation(text) };
}

/**
 * Cuts fall on white space where there is any near: redaction comes after the cut, and half a
 * secret would not be recognised.
 */
function headOf(text: string, maxBytes: number): string {
  const head = Buffer.from(text.slice(0, maxBytes), 'utf8').subarray(0, maxBytes).toString('utf8');
  const whole = head.replace(/\uFFFD+$/, '');
  const space = whole.slice(-BOUNDARY_SEARCH_CHARS).search(/\s\S*$/);
  const kept = Math.max(0, whole.length - BOUNDARY_SEARCH_CHARS);
  return space < 0 ? whole.slice(0, kept) : whole.slice(0, kept + space);
}

function tailOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(-maxBytes), 'utf8');
  const tail = bytes.subarray(Math.max(0, bytes.length - maxBytes)).toString('utf8');
  const whole = tail.replace(/^\uFFFD+/, '');
  const space = whole.slice(0, BOUNDARY_SEARCH_CHARS).search(/\s/);
  return space < 0 ? whole.slice(BOUNDARY_SEARCH_CHARS) : whole.slice(space + 1);
}

/** One line of at most `maxChars` characters for a folded call or a request. */
export function oneLine(text: string, maxChars = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
