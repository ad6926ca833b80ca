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

type PieceKind = 'answer' | 'thinking';
type Piece = { kind: PieceKind; turnId: TurnId | null; text: string };

/** What a parser keeps of an answer that comes in pieces without a name of their own. */
export type Pieces = {
  launchId: LaunchId;
  /** What the model is in the middle of, in the turn in which it began. */
  block: { index: number; kind: PieceKind; turnId: TurnId | null; text: string } | null;
  blocks: number;
};

/** A piece of what the model says or thinks; one of the other kind ends the block before it. */
export function readPiece(draft: Draft<Pieces>, piece: Piece): void {
  if (piece.text === '') return;
  if (draft.state.block && draft.state.block.kind !== piece.kind) completeBlock(draft);
  const block = draft.state.block ?? { ...piece, index: draft.state.blocks, text: '' };
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: block.turnId,
      blockId: blockIdOf(draft, block.index),
      parentToolId: null,
      kind: block.kind,
      offset: block.text.length,
      text: piece.text,
    },
  });
  const text = block.text + piece.text;
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
    turnId: block.turnId,
    blockId: blockIdOf(draft, block.index),
    parentToolId: null,
    kind: block.kind,
    text: capHead(block.text, BLOCK_TEXT_MAX_BYTES),
  });
}

const blockIdOf = (draft: Draft<Pieces>, index: number): string =>
  `${draft.state.launchId}/${index}`;
