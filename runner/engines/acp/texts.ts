import { BLOCK_TEXT_MAX_BYTES } from '../../../protocol/text.ts';
import { emit, patch } from '../draft.ts';
import { capHead } from '../text-cap.ts';
import type { Draft } from './state.ts';

/** A block that goes on for longer is told in parts: what is held back is stored with every line. */
const PART_CHARS = 16_000;
const PART_MAX_CHARS = 48_000;

/** A piece of what the model says or thinks; the other kind ends the block before it. */
export function readPiece(draft: Draft, kind: 'answer' | 'thinking', piece: string): void {
  if (piece === '') return;
  if (draft.state.block && draft.state.block.kind !== kind) completeBlock(draft);
  const { blocks, launchId, turn } = draft.state;
  const block = draft.state.block ?? { index: blocks, kind, text: '' };
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: turn?.turnId ?? null,
      blockId: `${launchId}/${block.index}`,
      parentToolId: null,
      kind,
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
export function completeBlock(draft: Draft): void {
  const { block, turn, launchId } = draft.state;
  if (!block) return;
  patch(draft, { block: null, blocks: block.index + 1 });
  emit(draft, {
    type: 'text/completed',
    turnId: turn?.turnId ?? null,
    blockId: `${launchId}/${block.index}`,
    parentToolId: null,
    kind: block.kind,
    text: capHead(block.text, BLOCK_TEXT_MAX_BYTES),
  });
}
