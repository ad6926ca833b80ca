import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MAGIC = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 256 * 4;

/**
 * Whether the index of a pack lists an object (gitformat-pack(5), version 2). Read here, because
 * git would look into the repositories that the pack's own repository borrows from as well.
 */
export function isInIndex(path: string, oid: string): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(file);
    const read = (at: number, length: number) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
      readSync(file, buffer, 0, buffer.length, at);
      return buffer;
    };
    const head = read(0, NAMES_AT);
    if (head.length < NAMES_AT || !head.subarray(0, MAGIC.length).equals(MAGIC)) return false;
    const wanted = Buffer.from(oid, 'hex');
    const first = wanted[0] ?? 0;
    const countUpTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(FANOUT_AT + byte * 4));
    const from = countUpTo(first - 1);
    const names = read(NAMES_AT + from * wanted.length, (countUpTo(first) - from) * wanted.length);
    for (let at = 0; at + wanted.length <= names.length; at += wanted.length) {
      if (names.subarray(at, at + wanted.length).equals(wanted)) return true;
    }
    return false;
  } finally {
    closeSync(file);
  }
}
