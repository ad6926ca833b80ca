import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { MODEL } from './transcript.ts';

export type Line = Record<string, unknown>;

/** Writes lines of the stream-json protocol, waiting when the reader is slower than we are. */
export type Output = {
  line(line: Line): Promise<void>;
  text(raw: string): Promise<void>;
};

export function createOutput(stream: NodeJS.WritableStream): Output {
  const text = async (raw: string) => {
    if (!stream.write(`${raw}\n`)) await once(stream, 'drain');
  };
  return { text, line: (line) => text(JSON.stringify(line)) };
}

/** One message of the assistant, block by block, with the stream events around each block. */
export type Message = {
  id: string;
  blocks: number;
  parent: string | null;
};

export const newMessage = (parent: string | null = null): Message => ({
  id: `msg_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
  blocks: 0,
  parent,
});

const usage = (outputTokens: number) => ({
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
});

export const streamEvent = (message: Message, event: Line): Line => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: message.parent,
  uuid: randomUUID(),
});

export const messageStart = (message: Message): Line =>
  streamEvent(message, {
    type: 'message_start',
    message: { id: message.id, role: 'assistant', model: MODEL, content: [], usage: usage(1) },
  });

export const messageDelta = (message: Message, outputTokens: number): Line =>
  streamEvent(message, {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: usage(outputTokens),
  });

export const blockLine = (message: Message, block: Line): Line => ({
  type: 'assistant',
  message: { id: message.id, role: 'assistant', model: MODEL, content: [block], usage: usage(1) },
  parent_tool_use_id: message.parent,
  uuid: randomUUID(),
});

export const toolResult = (
  toolId: string,
  content: string,
  failed: boolean,
  detail: unknown,
  parent: string | null,
): Line => ({
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: toolId, content, is_error: failed }],
  },
  parent_tool_use_id: parent,
  uuid: randomUUID(),
  tool_use_result: detail,
});
