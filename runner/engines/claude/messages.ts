import { BLOCK_TEXT_MAX_BYTES } from '../../../protocol/text.ts';
import { ownEntry } from '../../acts/own.ts';
import { capHead } from '../text-cap.ts';
import { decideFailure, describeFailure } from './failures.ts';
import type { AssistantLine, ContentBlock, StreamLine } from './lines.ts';
import { emit, patch } from '../draft.ts';
import { see } from './seen.ts';
import type { Draft, Stream } from './state.ts';
import { startTool } from './tools.ts';
import { ensureTurn } from './turns.ts';

/** One line per content block: texts complete, tools begin, usage is seen. */
export function readAssistant(draft: Draft, line: AssistantLine): void {
  const parent = line.parent_tool_use_id ?? null;
  if (parent === null) ensureTurn(draft, line.user_message_uuid ?? null, line.uuid);
  // The words of a failure are the turn's error, not something that the model said.
  if (line.error) return readFailure(draft, line);
  if (line.message.usage) see(draft, line.message.id, line.message.model, line.message.usage);
  const stream = streamOf(draft, parent, line.message.id);
  let index = stream.nextBlock;
  for (const [position, block] of line.message.content.entries()) {
    const narration = line.narration_block_indexes?.includes(position) || isNarration(block);
    completeBlock(draft, parent, `${line.message.id}/${index}`, block, narration);
    index += 1;
  }
  setStream(draft, parent, { ...stream, nextBlock: index });
}

function completeBlock(
  draft: Draft,
  parent: string | null,
  blockId: string,
  block: ContentBlock,
  narration: boolean,
): void {
  if (block.type === 'tool_use' && block.id && block.name) {
    startTool(draft, { toolId: block.id, name: block.name, input: block.input, parent });
    return;
  }
  const text =
    block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : undefined;
  // An empty thinking block is one whose words the provider keeps to itself.
  if (!text) return;
  emit(draft, {
    type: 'text/completed',
    turnId: draft.state.open?.turnId ?? null,
    blockId,
    parentToolId: parent,
    kind: block.type === 'text' ? 'answer' : narration ? 'narration' : 'thinking',
    text: capHead(text, BLOCK_TEXT_MAX_BYTES),
  });
}

/**
 * Some versions tell the reader what they do between tools in a thinking block whose signature
 * names it so, in bytes behind base64.
 */
function isNarration(block: ContentBlock): boolean {
  if (!block.signature) return false;
  return (
    /narration/i.test(block.signature) ||
    /narration/i.test(Buffer.from(block.signature, 'base64').toString('latin1'))
  );
}

function readFailure(draft: Draft, line: AssistantLine): void {
  const { open } = draft.state;
  if (!open) return;
  const words = line.message.content
    .map((block) => block.text ?? '')
    .join(' ')
    .trim();
  const code = decideFailure({
    error: line.error ?? null,
    status: line.api_error_status ?? null,
    credential: draft.state.credential !== null,
  });
  patch(draft, { open: { ...open, error: describeFailure(code, words || null) } });
}

/** Text on its way. Blocks are numbered as the finished lines number them. */
export function readStream(draft: Draft, line: StreamLine): void {
  const parent = line.parent_tool_use_id ?? null;
  const { event } = line;
  if (event.type === 'message_start' && event.message) {
    if (parent === null) ensureTurn(draft, null, line.uuid);
    if (event.message.usage) see(draft, event.message.id, event.message.model, event.message.usage);
    streamOf(draft, parent, event.message.id);
    return;
  }
  const stream = ownEntry(draft.state.streams, parent ?? '');
  if (!stream) return;
  if (event.type === 'message_delta' && event.usage)
    see(draft, stream.messageId, 'unknown', event.usage);
  if (event.type !== 'content_block_delta' || event.index === undefined || !event.delta) return;
  const { text, thinking } = event.delta;
  const piece =
    event.delta.type === 'text_delta'
      ? text
      : event.delta.type === 'thinking_delta'
        ? thinking
        : undefined;
  if (!piece) return;
  const key = String(event.index);
  const offset = stream.offsets[key] ?? 0;
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: draft.state.open?.turnId ?? null,
      blockId: `${stream.messageId}/${event.index}`,
      parentToolId: parent,
      kind: event.delta.type === 'text_delta' ? 'answer' : 'thinking',
      offset,
      text: piece,
    },
  });
  setStream(draft, parent, {
    ...stream,
    offsets: { ...stream.offsets, [key]: offset + piece.length },
  });
}

function streamOf(draft: Draft, parent: string | null, messageId: string): Stream {
  const current = ownEntry(draft.state.streams, parent ?? '');
  if (current?.messageId === messageId) return current;
  const fresh: Stream = { messageId, nextBlock: 0, offsets: {} };
  setStream(draft, parent, fresh);
  return fresh;
}

function setStream(draft: Draft, parent: string | null, stream: Stream): void {
  patch(draft, { streams: { ...draft.state.streams, [parent ?? '']: stream } });
}
