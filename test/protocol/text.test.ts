import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_TEXT_MAX_BYTES,
  EVENT_TEXT_MAX_BYTES,
  cappedText,
  wholeText,
} from '../../protocol/text.ts';

describe('a text that may be cut', () => {
  it('says when it was not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cappedText.parse(wholeText(text))).toEqual({ text, truncated: null });
      }),
    );
  });

  it('says how long the whole is, and its hash', () => {
    const cut = { text: 'head…tail', truncated: { bytes: 90_000, sha256: 'f'.repeat(64) } };
    expect(cappedText.parse(cut)).toEqual(cut);
  });

  it.each([
    { text: 'x' },
    { text: 'x', truncated: {} },
    { text: 'x', truncated: true },
    { text: 'x', truncated: { bytes: -1, sha256: '' } },
    { text: 'x', truncated: { bytes: 1.5, sha256: '' } },
    { text: null, truncated: null },
  ])('that is silent about a cut is refused: %j', (raw) => {
    expect(cappedText.safeParse(raw).success).toBe(false);
  });

  it('is longer for what people read whole than for what is folded', () => {
    expect(BLOCK_TEXT_MAX_BYTES).toBeGreaterThan(EVENT_TEXT_MAX_BYTES);
  });
});
