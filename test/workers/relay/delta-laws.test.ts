import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextDelta } from '../../../protocol/engine-event.ts';
import { mergeDelta, OPEN_BLOCK_MAX_CHARS, OpenBlocks } from '../../../workers/relay/deltas.ts';
import { entriesOf } from '../../support/protocol-builders.ts';
import { delta, ended, said, toolStarted } from '../../support/transcript-events.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog.';

/** A text in pieces of these sizes, from its beginning. */
function piecesOf(sizes: readonly number[], blockId = 'block-1'): TextDelta[] {
  let at = 0;
  return sizes.flatMap((size) => {
    const part = TEXT.slice(at, at + size);
    if (part === '') return [];
    at += part.length;
    return [delta(part, at - part.length, { blockId })];
  });
}
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
const joined = (parts: readonly TextDelta[]) => parts.map(({ text }) => text).join('');

describe('text that waits to be shown', () => {
  it('is one delta per block as long as nothing is missing, however it came', () => {
    fc.assert(
      fc.property(sizes, sizes, (first, second) => {
        const [a, b] = [piecesOf(first), piecesOf(second, 'block-2')];
        const mixed = a.flatMap((part, index) => [part, ...b.slice(index, index + 1)]);
        const rest = b.slice(a.length);
        const merged = [...mixed, ...rest].reduce<TextDelta[]>(mergeDelta, []);
        expect(merged.map(({ blockId }) => blockId).toSorted()).toEqual(['block-1', 'block-2']);
        for (const { blockId, offset, text } of merged)
          expect([offset, text]).toEqual([0, joined(blockId === 'block-1' ? a : b)]);
      }),
    );
  });

  it('keeps every character and every offset of what came', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (cut, kept) => {
        const parts = piecesOf(cut).filter((_, index) => kept[index] ?? true);
        const merged = parts.reduce<TextDelta[]>(mergeDelta, []);
        expect(joined(merged)).toBe(joined(parts));
        for (const { offset, text } of merged)
          expect(TEXT.slice(offset, offset + text.length)).toBe(text);
      }),
    );
  });

  it('leaves what it was given as it was', () => {
    const before = piecesOf([4]);
    const copy = structuredClone(before);
    mergeDelta(before, delta(' more', 4));
    expect(before).toEqual(copy);
  });
});

describe('the block that is being written', () => {
  const holding = (parts: readonly TextDelta[]) => {
    const open = new OpenBlocks();
    for (const part of parts) open.add(part);
    return open.list();
  };

  it('is the text so far, whatever was sent again', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(11), { maxLength: 12 }), (cut, repeats) => {
        const parts = piecesOf(cut);
        const sent = parts.flatMap((part, index) => {
          const again = parts[Math.min(repeats[index] ?? index, index)] ?? part;
          return again === part ? [part] : [part, ...parts.slice(parts.indexOf(again), index + 1)];
        });
        expect(holding(sent)).toEqual([delta(joined(parts), 0)]);
      }),
    );
  });

  it('never claims a character that did not come at its place', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (cut, kept) => {
        const [held] = holding(piecesOf(cut).filter((_, index) => kept[index] ?? true));
        fc.pre(held !== undefined);
        expect(TEXT.slice(held?.offset).startsWith(held?.text ?? '-')).toBe(true);
      }),
    );
  });

  it('is kept apart from that of a subagent', () => {
    const open = [delta('a', 0), delta('b', 0, { blockId: 'other', parentToolId: 'tool-1' })];
    expect(holding(open)).toEqual(open);
  });

  it('is bounded even when one delta alone is larger', () => {
    const [held] = holding([delta('x'.repeat(2 * OPEN_BLOCK_MAX_CHARS), 0)]);
    expect([held?.offset, held?.text.length]).toEqual([OPEN_BLOCK_MAX_CHARS, OPEN_BLOCK_MAX_CHARS]);
  });

  it('is forgotten once the record has it whole, and no other is', () => {
    const open = new OpenBlocks();
    open.add(delta('a', 0));
    open.add(delta('b', 0, { blockId: 'block-2' }));
    open.follow(entriesOf([said('a'), toolStarted()]));
    expect(open.list().map(({ blockId }) => blockId)).toEqual(['block-2']);
    open.follow(entriesOf([ended()]));
    expect(open.list()).toEqual([]);
  });

  it('begins anew when a completed block’s id comes again', () => {
    const open = new OpenBlocks();
    open.add(delta('one', 0));
    open.follow(entriesOf([said('one')]));
    open.add(delta('two', 0));
    expect(open.list()).toEqual([delta('two', 0)]);
  });
});
