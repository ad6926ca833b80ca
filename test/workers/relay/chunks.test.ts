import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedEntry } from '../../../protocol/engine-event.ts';
import {
  CHUNK_MAX_CHARS,
  CHUNK_MAX_ENTRIES,
  decodeChunk,
  encodeChunks,
  splitText,
  textAfter,
} from '../../../workers/relay/chunks.ts';
import { text } from '../support/sessions.ts';

const entriesOf = (words: readonly string[], first = 1): FeedEntry[] =>
  words.map((word, index) => ({
    position: first + index,
    at: 1,
    seq: index + 1,
    event: text(word),
  }));

describe('chunks', () => {
  it('hold exactly what was put in, in order and without gaps', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), {
      minLength: 1,
      maxLength: 600,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 1e6 }), (list, first) => {
        const entries = entriesOf(list, first);
        const chunks = encodeChunks(entries);
        expect(chunks.flatMap(decodeChunk)).toEqual(entries);
        for (const [index, chunk] of chunks.entries()) {
          const held = decodeChunk(chunk);
          expect([held[0]?.position, held.at(-1)?.position]).toEqual([chunk.first, chunk.last]);
          expect(chunk.first).toBe(index === 0 ? first : (chunks[index - 1]?.last ?? 0) + 1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('stay within their bounds unless one entry alone is larger', () => {
    const chunks = encodeChunks(
      entriesOf([...Array.from({ length: 600 }, () => 'x'), 'y'.repeat(CHUNK_MAX_CHARS + 1), 'z']),
    );
    expect(chunks.every((chunk) => chunk.last - chunk.first < CHUNK_MAX_ENTRIES)).toBe(true);
    expect(
      chunks
        .filter((chunk) => chunk.text.length > CHUNK_MAX_CHARS)
        .map((chunk) => chunk.last - chunk.first),
    ).toEqual([0]);
  });

  it('give what is after a cursor inside them', () => {
    const [chunk] = encodeChunks(entriesOf(['a', 'b', 'c'], 5));
    if (!chunk) throw new Error('there is one chunk');
    expect(
      (JSON.parse(textAfter(chunk, 5)) as FeedEntry[]).map(({ position }) => position),
    ).toEqual([6, 7]);
    expect(textAfter(chunk, 4)).toBe(chunk.text);
  });
});

describe('a long text in rows', () => {
  it('comes back whole, and no row ends inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 9 }), (whole, max) => {
        const parts = splitText(whole, max);
        expect(parts.join('')).toBe(whole);
        expect(parts.every((part) => part.length <= max)).toBe(true);
        expect(parts.filter((part) => /[\uD800-\uDBFF]$/.test(part)).length).toBe(
          /[\uD800-\uDBFF]$/.test(whole) ? 1 : 0,
        );
      }),
    );
  });
});
