import { endsOpenText, type FeedEntry, type TextDelta } from '../../protocol/engine-event.ts';
import { OPEN_BLOCKS_MAX } from '../../protocol/text.ts';

/** Characters of an open block that are kept for a viewer who joins in the middle of it. */
export const OPEN_BLOCK_MAX_CHARS = 256 * 1024;
/** And as many beyond them before the block is cut: each cut copies all of it. */
export const CUT_AT_CHARS = OPEN_BLOCK_MAX_CHARS / 4;

/** Joins a delta to the pending ones: text of one block that follows on becomes one delta. */
export function mergeDelta(pending: readonly TextDelta[], delta: TextDelta): TextDelta[] {
  const index = pending.findLastIndex((held) => held.blockId === delta.blockId);
  const held = pending[index];
  if (!held || held.offset + held.text.length !== delta.offset) return [...pending, delta];
  return pending.with(index, { ...held, text: held.text + delta.text });
}

/**
 * The text of the blocks still being written, in memory alone: a completed block replaces it in
 * the record, and after a restart of the object the next delta begins it again at its offset.
 */
export class OpenBlocks {
  #blocks = new Map<string, TextDelta>();

  /** Adds text to its block: a repeated part counts once, and a gap begins the block anew at its offset. */
  add(delta: TextDelta): void {
    const held = this.#blocks.get(delta.blockId);
    const joined = held ? joinDelta(held, delta) : delta;
    const excess = joined.text.length - OPEN_BLOCK_MAX_CHARS;
    this.#blocks.set(
      delta.blockId,
      excess > CUT_AT_CHARS
        ? { ...joined, offset: joined.offset + excess, text: joined.text.slice(excess) }
        : joined,
    );
    const [oldest] = this.#blocks.keys();
    if (oldest !== undefined && this.#blocks.size > OPEN_BLOCKS_MAX) this.#blocks.delete(oldest);
  }

  /** Forgets what the record now holds whole, and everything once the turn is over. */
  follow(entries: readonly FeedEntry[]): void {
    if (this.#blocks.size === 0) return;
    for (const { event } of entries) {
      if (event.type === 'text/completed') this.#blocks.delete(event.blockId);
      else if (endsOpenText(event)) this.#blocks.clear();
    }
  }

  /** What a viewer who joins now is shown of the blocks that are not complete. */
  list(): TextDelta[] {
    return [...this.#blocks.values()];
  }
}

function joinDelta(held: TextDelta, delta: TextDelta): TextDelta {
  const end = held.offset + held.text.length;
  if (delta.offset > end || delta.offset < held.offset) return delta;
  return { ...held, text: held.text.slice(0, delta.offset - held.offset) + delta.text };
}
