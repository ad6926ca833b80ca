// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { INPUT_FRAME_BYTES } from '../../../protocol/terminal-frames.ts';
import { bytesOf, cutKeys, sequenceOf, withCtrl } from '../../../console/takeover/keys.ts';

describe('keys that a phone has not', () => {
  it('sends arrows in the form that the program asked for', () => {
    expect(sequenceOf('↑', false)).toBe('\u001b[A');
    expect(sequenceOf('→', true)).toBe('\u001bOC');
    expect(sequenceOf('Esc', true)).toBe('\u001b');
    expect(sequenceOf('Tab', false)).toBe('\t');
  });

  it('makes a control key of one letter and leaves everything else alone', () => {
    expect(withCtrl('c')).toBe('\u0003');
    expect(withCtrl('R')).toBe('\u0012');
    expect(withCtrl('[')).toBe('\u001b');
    expect(withCtrl('1')).toBe('1');
    expect(withCtrl('\u001b[A')).toBe('\u001b[A');
  });
});

describe('a paste', () => {
  it('is cut into frames that the server takes, without losing a byte', () => {
    const paste = new Uint8Array(INPUT_FRAME_BYTES * 2 + 7).map((_, index) => index % 251);
    const frames = cutKeys(paste);
    expect(frames.map((frame) => frame.byteLength)).toEqual([
      INPUT_FRAME_BYTES,
      INPUT_FRAME_BYTES,
      7,
    ]);
    expect(Buffer.concat(frames).equals(Buffer.from(paste))).toBe(true);
    expect(cutKeys(new Uint8Array())).toEqual([]);
  });

  it('keeps bytes above 127 as they are', () => {
    expect([...bytesOf('a\u00ff')]).toEqual([97, 255]);
  });
});
