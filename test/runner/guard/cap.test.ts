import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capText } from '../../../runner/guard/cap.ts';

const text = fc.string({ unit: 'binary', maxLength: 300 });

describe('capText', () => {
  test('leaves a text that fits as it is', () => {
    expect(capText('héllo', 6, { keep: 'head' })).toEqual({ text: 'héllo', truncated: null });
  });

  test('says the size in bytes and the hash of the whole', () => {
    const whole = 'é'.repeat(100);
    expect(capText(whole, 10, { keep: 'head' })).toEqual({
      text: 'é'.repeat(5),
      truncated: { bytes: 200, sha256: createHash('sha256').update(whole).digest('hex') },
    });
  });

  test('drops a character that would be cut in two', () => {
    expect(capText('aé', 2, { keep: 'head' }).text).toBe('a');
    expect(capText('a👍b', 4, { keep: 'head' }).text).toBe('a');
  });

  test('keeps both ends of an output and says how much is missing between them', () => {
    const capped = capText(`first\n${'x'.repeat(500)}\nlast`, 100, { keep: 'headTail' });
    expect(capped.text).toMatch(/^first\n/);
    expect(capped.text).toMatch(/\nlast$/);
    const kept = capped.text.replace(/\n… (\d+) bytes left out …\n/, '');
    expect(capped.text).toContain(`… ${511 - kept.length} bytes left out …`);
  });

  test('falls back to the head where there is no room for the marker', () => {
    expect(capText('0123456789'.repeat(10), 8, { keep: 'headTail' }).text).toBe('01234567');
  });

  test('keeps nothing of a text when nothing is allowed', () => {
    expect(capText('abc', 0, { keep: 'headTail' }).text).toBe('');
  });

  test('never exceeds the limit and never breaks a character', () => {
    const keep = fc.constantFrom('head' as const, 'headTail' as const);
    fc.assert(
      fc.property(text, fc.nat(400), keep, (whole, maxBytes, kept) => {
        const capped = capText(whole, maxBytes, { keep: kept });
        expect(Buffer.byteLength(capped.text)).toBeLessThanOrEqual(maxBytes);
        expect(capped.text).not.toContain('\ufffd'.repeat(whole.includes('\ufffd') ? 999 : 1));
        expect(capped.truncated === null).toBe(Buffer.byteLength(whole) <= maxBytes);
      }),
    );
  });
});
