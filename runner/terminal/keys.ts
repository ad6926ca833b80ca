import { createHash } from 'node:crypto';

const ESC = '\x1b';
const NAMED: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  Escape: ESC,
  Space: ' ',
  BSpace: '\x7f',
  BTab: `${ESC}[Z`,
};
const ARROWS: Readonly<Record<string, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  End: 'F',
  Home: 'H',
};
const TILDES: Readonly<Record<string, number>> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};
const FUNCTIONS: Readonly<Record<string, string>> = { F1: 'P', F2: 'Q', F3: 'R', F4: 'S' };

/**
 * The bytes that a terminal of the xterm family sends for a key by name. `application`: the
 * program asked for the other form of the arrows. Pure.
 */
export function bytesOfKey(key: string, application = false): string {
  if (key.length === 1) return key;
  const named = NAMED[key];
  if (named !== undefined) return named;
  const [, prefix = '', base = key] = /^((?:[CMS]-)*)(.+)$/.exec(key) ?? [];
  const modifiers = new Set(prefix.split('-').filter((each) => each !== ''));
  const number =
    1 + (modifiers.has('S') ? 1 : 0) + (modifiers.has('M') ? 2 : 0) + (modifiers.has('C') ? 4 : 0);
  const arrow = ARROWS[base];
  if (arrow !== undefined)
    return number > 1 ? `${ESC}[1;${number}${arrow}` : `${ESC}${application ? 'O' : '['}${arrow}`;
  const tilde = TILDES[base];
  if (tilde !== undefined) return `${ESC}[${tilde}${number > 1 ? `;${number}` : ''}~`;
  const letter = FUNCTIONS[base];
  if (letter !== undefined) return number > 1 ? `${ESC}[1;${number}${letter}` : `${ESC}O${letter}`;
  const plain = NAMED[base] ?? base;
  const held = modifiers.has('C')
    ? String.fromCodePoint((plain.codePointAt(0) ?? 0) & 0x1f)
    : plain;
  return modifiers.has('M') ? ESC + held : held;
}

/** What was written, as it is told: its size in bytes and its SHA-256 in hex. */
export function describeBytes(bytes: Uint8Array): { bytes: number; sha256: string } {
  return {
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
