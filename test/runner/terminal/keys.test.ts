import { describe, expect, it } from 'vitest';
import { bytesOfKey, describeBytes } from '../../../runner/terminal/keys.ts';

describe('keys as bytes', () => {
  it.each([
    ['a', 'a'],
    ['-', '-'],
    ['Enter', '\r'],
    ['Tab', '\t'],
    ['BTab', '\x1b[Z'],
    ['Escape', '\x1b'],
    ['BSpace', '\x7f'],
    ['Space', ' '],
    ['C-c', '\x03'],
    ['C-@', '\0'],
    ['C-[', '\x1b'],
    ['M-x', '\x1bx'],
    ['M-Enter', '\x1b\r'],
    ['M-C-c', '\x1b\x03'],
    ['Up', '\x1b[A'],
    ['C-Left', '\x1b[1;5D'],
    ['C-M-Left', '\x1b[1;7D'],
    ['S-Up', '\x1b[1;2A'],
    ['Home', '\x1b[H'],
    ['Delete', '\x1b[3~'],
    ['S-Delete', '\x1b[3;2~'],
    ['PageDown', '\x1b[6~'],
    ['F1', '\x1bOP'],
    ['F5', '\x1b[15~'],
    ['C-F5', '\x1b[15;5~'],
    ['F12', '\x1b[24~'],
  ])('%s is %j', (key, bytes) => {
    expect(bytesOfKey(key)).toBe(bytes);
  });

  it('are others where a program asked for the other arrows', () => {
    expect(bytesOfKey('Up', true)).toBe('\x1bOA');
    expect(bytesOfKey('C-Up', true)).toBe('\x1b[1;5A');
  });

  it('are told by size and hash', () => {
    expect(describeBytes(Buffer.from('abc'))).toEqual({
      bytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });
});
