import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { capEnds, capHead, oneLine } from '../../../runner/engines/text-cap.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';

describe('cut texts', () => {
  test('a text that fits is whole', () => {
    expect(capHead('abc', 3)).toEqual({ text: 'abc', truncated: null });
  });

  test('are never longer than the limit, and know what is missing', () => {
    const words = fc
      .array(fc.oneof(fc.lorem(), fc.string({ unit: 'grapheme' })), {
        minLength: 10,
        maxLength: 60,
      })
      // One that is there already says nothing of a cut.
      .map((parts) => parts.join(' ').replaceAll('\uFFFD', ''));
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 60, max: 200 }),
        fc.constantFrom(capHead, capEnds),
        (text, limit, cap) => {
          const capped = cap(text, limit);
          fc.pre(capped.truncated !== null);
          expect(Buffer.byteLength(capped.text)).toBeLessThanOrEqual(limit);
          expect(capped.truncated?.bytes).toBe(Buffer.byteLength(text));
          expect(capped.text).not.toContain('\uFFFD');
        },
      ),
    );
  });

  test('leave no piece of a secret once redacted, wherever the cut falls and without white space', () => {
    const secret = 'sk-ant-secret-0123456789';
    const redactor = createRedactor([{ name: 'KEY', value: secret }]);
    const pieces = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4));
    for (const cap of [capHead, capEnds]) {
      for (let before = 1_500; before <= 6_500; before += 5) {
        const text = `${'x'.repeat(before)}${secret}${'y'.repeat(8_000 - before)}`;
        const redacted = redactor.event({
          type: 'text/completed',
          turnId: null,
          blockId: 'b',
          parentToolId: null,
          kind: 'answer',
          text: cap(text, 6_000),
        });
        const shown = redacted.type === 'text/completed' ? redacted.text.text : '';
        expect(pieces.filter((piece) => shown.includes(piece))).toEqual([]);
      }
    }
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
