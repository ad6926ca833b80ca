import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSize, terminalSize } from '../../protocol/takeover.ts';
import { decodeKeys, encodeKeys, INPUT_FRAME_BYTES } from '../../protocol/terminal-frames.ts';

describe('keys on the wire', () => {
  it('come back with the epoch under which they were typed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        (epoch, keys) => {
          const decoded = decodeKeys(encodeKeys(epoch, keys));
          expect(decoded?.epoch).toBe(epoch);
          expect([...(decoded?.keys ?? [])]).toEqual([...keys]);
        },
      ),
    );
  });

  it('are refused without keys, and when they are more than a frame holds', () => {
    expect(decodeKeys(new Uint8Array(0))).toBeNull();
    expect(decodeKeys(new Uint8Array(4))).toBeNull();
    expect(decodeKeys(new Uint8Array(4 + INPUT_FRAME_BYTES))).not.toBeNull();
    expect(decodeKeys(new Uint8Array(5 + INPUT_FRAME_BYTES))).toBeNull();
  });
});

describe('the size of a terminal', () => {
  it('is always one that a program can draw on, whatever a window says', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (columns, rows) => {
        expect(terminalSize.safeParse(fitSize({ columns, rows })).success).toBe(true);
      }),
    );
  });

  it('is kept where it is possible', () => {
    expect(fitSize({ columns: 120, rows: 40 })).toEqual({ columns: 120, rows: 40 });
    expect(fitSize({ columns: 0, rows: 0 })).toEqual({ columns: 2, rows: 2 });
  });
});
