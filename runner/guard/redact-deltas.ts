import type { TextDelta } from '../../protocol/engine-event.ts';
import { OPEN_BLOCKS_MAX } from '../../protocol/text.ts';
import type { Kept, Redactor } from './redact.ts';

type Delta = Omit<TextDelta, 'sessionId'>;

/** The deltas of one session, redacted although a secret may be spread over several of them. */
export type DeltaRedactor = {
  /** What of this delta, and of what was held back before, can be shown; null when nothing. */
  push(delta: Delta): Delta | null;
  /**
   * What is still held back of a block that is complete. Its `text/completed` event replaces all
   * deltas, so a caller that sends one at once may drop the result.
   */
  flush(blockId: string): Delta | null;
  /** Gives up what is held back of blocks that nobody completes any more. */
  end(): void;
};

/** `received` and `sent` count characters of the block as it came in and as it went out. */
type Block = { last: Delta; kept: Kept; received: number; sent: number };

/** Offsets are counted anew, because a placeholder has another length than its secret. */
export function createDeltaRedactor(redactor: Redactor): DeltaRedactor {
  const blocks = new Map<string, Block>();

  const send = (block: Block, text: string): Delta | null => {
    if (text === '') return null;
    const delta = { ...block.last, offset: block.sent, text };
    block.sent += text.length;
    return delta;
  };

  return {
    push(delta) {
      const known = blocks.get(delta.blockId);
      const continues = known !== undefined && known.received === delta.offset;
      // A block that begins again, or lost a part, shares no text with what is held: that part
      // was never shown and the completed block brings it.
      const block = continues
        ? known
        : {
            last: delta,
            kept: { text: '', shown: 0 },
            received: delta.offset,
            sent: delta.offset,
          };
      const { text, shown } = block.kept;
      const { redacted, kept } = redactor.partial({ text: text + delta.text, shown });
      block.last = delta;
      block.kept = kept;
      block.received = delta.offset + delta.text.length;
      blocks.set(delta.blockId, block);
      const [oldest] = blocks.keys();
      if (oldest !== undefined && blocks.size > OPEN_BLOCKS_MAX) blocks.delete(oldest);
      return send(block, redacted);
    },
    flush(blockId) {
      const block = blocks.get(blockId);
      blocks.delete(blockId);
      return block ? send(block, redactor.rest(block.kept)) : null;
    },
    end: () => blocks.clear(),
  };
}
