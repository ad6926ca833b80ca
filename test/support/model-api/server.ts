import type { ServerResponse } from 'node:http';
import { cut, type Loopback, sendJson, sleep, startLoopback } from './loopback.ts';
import {
  cappedAt,
  chooseReply,
  conversationTokens,
  USAGE,
  type Block,
  type ModelRequest,
  type Reply,
  type Script,
  type Usage,
} from './script.ts';

/** One request that the API answered, as a bill would list it. */
export type Served = { model: string; usage: Usage; complete: boolean };

export type ModelApi = Loopback<ModelRequest> & {
  /** Every message served, helper models and subagents included. */
  served: Served[];
};

/**
 * Starts an Anthropic Messages API on a loopback port that plays `script`. It streams as the real
 * one does (message_start, blocks in pieces, message_delta with the final figures, message_stop).
 */
export async function startModelApi(script: Script): Promise<ModelApi> {
  const served: Served[] = [];
  let count = 0;

  async function play(reply: Reply, request: ModelRequest, response: ServerResponse, id: number) {
    if (reply.kind === 'hang') return;
    if (reply.kind === 'error') {
      for (const [name, value] of Object.entries(reply.headers ?? {}))
        response.setHeader(name, value);
      return sendJson(response, reply.status, errorBody(reply.type, reply.message));
    }
    const wished = {
      ...USAGE,
      ...reply.usage,
      ...(reply.readsAgain && {
        cache_read_input_tokens: conversationTokens(request.messages),
      }),
    };
    const usage = {
      ...wished,
      output_tokens: cappedAt(wished.output_tokens, request.max_tokens),
    };
    const entry: Served = { model: request.model, usage, complete: false };
    served.push(entry);
    if (reply.firstByteMs) await sleep(reply.firstByteMs);
    const stop = reply.content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    if (request.stream) {
      entry.complete = await stream(
        reply,
        { id: `msg_${id}`, model: request.model, usage, stop },
        response,
      );
      return;
    }
    const content = reply.content.map((block, index) => withId(block, id, index));
    sendJson(response, 200, {
      ...messageOf(`msg_${id}`, request.model, usage),
      content,
      stop_reason: stop,
    });
    entry.complete = true;
  }

  const loopback = await startLoopback<ModelRequest>({
    parse: (path, body) =>
      path.endsWith('/v1/messages') ? (JSON.parse(body) as ModelRequest) : null,
    async answer(request, path, response) {
      if (path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 42 });
      if (!request) return sendJson(response, 404, errorBody('not_found_error', 'no such path'));
      await play(chooseReply(script, request), request, response, ++count);
    },
  });
  return { ...loopback, served };
}

const errorBody = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const messageOf = (id: string, model: string, usage: Usage) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [] as unknown[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: { ...usage, service_tier: 'standard' },
});

const withId = (block: Block, message: number, index: number) =>
  block.type === 'tool_use' ? { ...block, id: `toolu_${message}_${index}` } : block;

type Head = { id: string; model: string; usage: Usage; stop: string };

/** Streams one message. Returns whether it was sent to its end. */
async function stream(
  reply: Extract<Reply, { kind: 'message' }>,
  head: Head,
  response: ServerResponse,
): Promise<boolean> {
  let open = true;
  let pieces = 0;
  response.on('close', () => {
    open = response.writableFinished;
  });
  const send = (type: string, data: Record<string, unknown>) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_test' });
  send('message_start', {
    message: messageOf(head.id, head.model, { ...head.usage, output_tokens: 1 }),
  });
  const number = Number(head.id.slice('msg_'.length));
  for (const [index, block] of reply.content.entries()) {
    const { start, deltas } = piecesOf(withId(block, number, index));
    send('content_block_start', { index, content_block: start });
    for (const delta of deltas) {
      if (reply.pieceMs) await sleep(reply.pieceMs);
      if (!open) return false;
      if (reply.cutAfter !== undefined && pieces++ >= reply.cutAfter) {
        await cut(response);
        return false;
      }
      send('content_block_delta', { index, delta });
    }
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason: head.stop, stop_sequence: null },
    usage: head.usage,
  });
  send('message_stop', {});
  response.end();
  return true;
}

type Pieces = { start: Record<string, unknown>; deltas: Record<string, unknown>[] };

/** Cuts a block as the real API does: texts by words, a tool's input as partial JSON. */
function piecesOf(block: Block & { id?: string }): Pieces {
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: (block.text.match(/\S+\s*|\s+/g) ?? []).map((text) => ({
          type: 'text_delta',
          text,
        })),
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
        ],
      };
    case 'tool_use':
      return {
        start: { type: 'tool_use', id: block.id, name: block.name, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }],
      };
    default:
      return block satisfies never;
  }
}
