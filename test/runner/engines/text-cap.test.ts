import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capEnds, capHead, oneLine } from '../../../runner/engines/text-cap.ts';
import { estimateMicroUsd } from '../../../runner/engines/prices.ts';

describe('cut texts', () => {
  test('a text that fits is whole', () => {
    expect(capHead('abc', 3)).toEqual({ text: 'abc', truncated: null });
  });

  test('are never longer than the limit and its mark, and know what is missing', () => {
    const words = fc
      .array(fc.oneof(fc.lorem(), fc.string({ unit: 'grapheme' })), {
        minLength: 10,
        maxLength: 60,
      })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 8, max: 60 }),
        fc.constantFrom(capHead, capEnds),
        (text, limit, cap) => {
          const capped = cap(text, limit);
          fc.pre(capped.truncated !== null);
          expect(Buffer.byteLength(capped.text)).toBeLessThanOrEqual(limit + 8);
          expect(capped.truncated?.bytes).toBe(Buffer.byteLength(text));
          expect(capped.text).not.toContain('\uFFFD');
        },
      ),
    );
  });

  test('never keep half a word: half a secret would not be recognised', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.constantFrom(capHead, capEnds),
        (padding, cap) => {
          const text = `${'pad '.repeat(padding)}sk-ant-secret-0123456789 ${'end '.repeat(400 - padding)}`;
          const rest = cap(text, 1_000).text.replaceAll('sk-ant-secret-0123456789', '');
          expect(rest).not.toMatch(/sk-ant|secret|0123/);
        },
      ),
    );
  });

  test('one line is one line', () => {
    expect(oneLine('a\n\tb   c', 4)).toBe('a b…');
  });
});

describe('estimated prices', () => {
  const tokens = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 300, cacheWriteTokens: 20 };

  test.each([
    ['claude-opus-5-5', 1560],
    ['claude-opus-4-8', 2025],
    ['claude-sonnet-4-5', 1215],
  ])('of %s are what the engine itself computed in its recorded runs', (model, microUsd) => {
    expect(estimateMicroUsd(model, tokens)).toBe(microUsd);
  });

  test('of an unknown model are unknown, which is not zero', () => {
    expect(estimateMicroUsd('somebody-elses-7', tokens)).toBeNull();
  });
});
