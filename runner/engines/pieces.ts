import type { LaunchId, TurnId } from '../../protocol/ids.ts';
import { BLOCK_TEXT_MAX_BYTES } from '../../protocol/text.ts';
import { type Draft, emit, patch } from './draft.ts';
import { capHead } from './text-cap.ts';

/**
 * A block that goes on for longer is told in parts, at a line's end where there is one: what is
 * held back is stored with every line that is read.
 */
const PART_CHARS = 16_000;
const PART_MAX_CHARS = 48_000;

/** What a parser keeps of an answer that comes in pieces without a name of their own. */
export type Pieces = {
  launchId: LaunchId;
  open: { turnId: TurnId } | null;
  /** The text that the model is in the middle of. */
  block: { index: number; text: string } | null;
  blocks: number;
};

/** A piece of the model's text. */
export function readPiece(draft: Draft<Pieces>, piece: string): void {
  if (piece === '') return;
  const { blocks } = draft.state;
  const block = draft.state.block ?? { index: blocks, text: '' };
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: draft.state.open?.turnId ?? null,
      blockId: blockIdOf(draft, block.index),
      parentToolId: null,
      kind: 'answer',
      offset: block.text.length,
      text: piece,
    },
  });
  const text = block.text + piece;
  patch(draft, { block: { ...block, text } });
  if ((text.length >= PART_CHARS && text.endsWith('\n')) || text.length >= PART_MAX_CHARS)
    completeBlock(draft);
}

/** What the model said is whole: something else follows it. */
export function completeBlock(draft: Draft<Pieces>): void {
  const { block } = draft.state;
  if (!block) return;
  patch(draft, { block: null, blocks: block.index + 1 });
  emit(draft, {
    type: 'text/completed',
    turnId: draft.state.open?.turnId ?? null,
    blockId: blockIdOf(draft, block.index),
    parentToolId: null,
    kind: 'answer',
    text: capHead(block.text, BLOCK_TEXT_MAX_BYTES),
  });
}

const blockIdOf = (draft: Draft<Pieces>, index: number): string =>
  `${draft.state.launchId}/${index}`;
