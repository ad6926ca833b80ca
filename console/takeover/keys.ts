import { INPUT_FRAME_BYTES } from '../../protocol/terminal-frames.ts';

/** Keys that a phone's keyboard has not. */
export const BAR_KEYS = ['Esc', 'Tab', '←', '↑', '↓', '→'] as const;
export type BarKey = (typeof BAR_KEYS)[number];

const ARROWS: Partial<Record<BarKey, string>> = { '←': 'D', '↑': 'A', '↓': 'B', '→': 'C' };

/** What a terminal sends for a key; programs choose between two forms of the arrows. */
export function sequenceOf(key: BarKey, applicationCursor: boolean): string {
  if (key === 'Esc') return '\u001b';
  if (key === 'Tab') return '\t';
  return `\u001b${applicationCursor ? 'O' : '['}${ARROWS[key]}`;
}

/** The same letter with Ctrl held; what has no such form stays as it is. */
export function withCtrl(text: string): string {
  return /^[@-_a-z]$/.test(text)
    ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f)
    : text;
}

/** Cuts keys into frames that the server takes. */
export function cutKeys(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const frames: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < bytes.byteLength; start += INPUT_FRAME_BYTES)
    frames.push(bytes.subarray(start, start + INPUT_FRAME_BYTES));
  return frames;
}

/** Keys that a terminal gives as one byte per character, such as those of a mouse. */
export const bytesOf = (binary: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(binary, (character) => character.charCodeAt(0) & 0xff);
