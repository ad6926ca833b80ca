import { endsOpenText, type FeedEntry, type TextDelta } from '../../protocol/engine-event.ts';
import { BLOCK_TEXT_MAX_BYTES, OPEN_BLOCKS_MAX } from '../../protocol/text.ts';
import type { Transcript } from './transcript.ts';

/** A block that is still being written. It is shown and not kept. */
export type LiveBlock = Omit<TextDelta, 'sessionId' | 'offset'> & {
  /** Characters of the block before `text` that this viewer never saw. */
  missing: number;
};

/** Blocks that are being written, by their id, in the order in which they began. */
export type LiveText = ReadonlyMap<string, LiveBlock>;

export const NO_LIVE_TEXT: LiveText = new Map();

/**
 * Joins text on its way. A repeated or overlapping piece adds only what is new; after a gap the
 * block begins again at the new piece, with the hole counted in `missing`.
 */
export function addDeltas(
  before: LiveText,
  deltas: readonly TextDelta[],
  done: Pick<Transcript['places'], 'has'>,
): LiveText {
  const after = new Map(before);
  for (const delta of deltas) {
    // The record holds the block whole: what still arrives of it is late.
    if (done.has(`text:${delta.blockId}`)) continue;
    after.set(delta.blockId, withinBounds(join(after.get(delta.blockId), delta)));
    const [oldest] = after.keys();
    if (oldest !== undefined && after.size > OPEN_BLOCKS_MAX) after.delete(oldest);
  }
  return after;
}

/** Characters beyond the bound before a block is cut: each cut copies all of it. */
const CUT_AT_CHARS = BLOCK_TEXT_MAX_BYTES / 4;

/** The end of a block that is longer than any that a record holds. */
function withinBounds(block: LiveBlock): LiveBlock {
  const excess = block.text.length - BLOCK_TEXT_MAX_BYTES;
  if (excess <= CUT_AT_CHARS) return block;
  return { ...block, missing: block.missing + excess, text: block.text.slice(excess) };
}

function join(held: LiveBlock | undefined, delta: TextDelta): LiveBlock {
  const { turnId, blockId, parentToolId, kind, offset, text } = delta;
  const begun = { turnId, blockId, parentToolId, kind, text, missing: offset };
  if (!held) return begun;
  const heldEnd = held.missing + held.text.length;
  if (offset > heldEnd) return begun;
  if (offset < held.missing) return offset + delta.text.length >= heldEnd ? begun : held;
  if (offset + delta.text.length <= heldEnd) return held;
  return { ...held, text: held.text.slice(0, offset - held.missing) + delta.text };
}

/** Drops the blocks that the record now holds, and all of them once a turn or its engine ended. */
export function settleLiveText(before: LiveText, entries: readonly FeedEntry[]): LiveText {
  if (before.size === 0) return before;
  const after = new Map(before);
  for (const { event } of entries) {
    if (event.type === 'text/completed') after.delete(event.blockId);
    if (endsOpenText(event)) after.clear();
  }
  return after.size === before.size ? before : after;
}
