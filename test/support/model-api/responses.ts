import type { ServerResponse } from 'node:http';
import { calcPrice } from '@pydantic/genai-prices';
import { sumOf, type Tokens } from './tokens.ts';
import { cut, type Loopback, sendJson, sleep, startLoopback } from './loopback.ts';
import {
  cappedAt,
  chooseReply,
  conversationTokens,
  type Block,
  type ModelRequest,
  type Reply,
  type Script,
} from './script.ts';

/** What a bill counts. Cached tokens are a part of the input, as reasoning is of the output. */
type Usage = { input: number; cached: number; output: number; reasoning: number };

/** One response that was served, as a bill would list it. */
type Served = { model: string; usage: Usage; complete: boolean };

type Item = {
  /** Some clients leave it out of a message. */
  type?: string;
  role?: string;
  /** What one agent says to another is for the model alone; here it is as it was said. */
  content?: string | { text?: string; encrypted_content?: string }[];
};
type ResponsesRequest = {
  model: string;
  input: Item[];
  tools?: { name?: string }[];
  max_output_tokens?: number;
};

export type ResponsesApi = Loopback<ResponsesRequest> & { served: Served[] };

const USAGE: Usage = { input: 1000, cached: 400, output: 60, reasoning: 10 };

/**
 * Starts an OpenAI Responses API on a loopback port that plays `script`. It streams as codex reads
 * it (response.created, items with their text in pieces, response.completed with the figures).
 */
export async function startResponsesApi(script: Script): Promise<ResponsesApi> {
  const served: Served[] = [];
  let count = 0;

  async function play(reply: Reply, request: ResponsesRequest, response: ServerResponse) {
    if (reply.kind === 'hang') return;
    if (reply.kind === 'error') {
      for (const [name, value] of Object.entries(reply.headers ?? {}))
        response.setHeader(name, value);
      const { type, message } = reply;
      return sendJson(response, reply.status, { error: { type, code: type, message } });
    }
    const {
      input_tokens: input,
      cache_read_input_tokens: cached,
      output_tokens: output,
    } = {
      ...reply.usage,
    };
    const again = reply.readsAgain && conversationTokens(request.input);
    const usage = {
      ...USAGE,
      ...(input !== undefined && { input }),
      ...(cached !== undefined && { cached }),
      ...(again !== undefined && { cached: again, input: USAGE.input + again }),
      output: cappedAt(output ?? USAGE.output, request.max_output_tokens),
    };
    const entry: Served = { model: request.model, usage, complete: false };
    served.push(entry);
    if (reply.firstByteMs) await sleep(reply.firstByteMs);
    entry.complete = await stream(reply, request, { id: `resp_${++count}`, usage }, response);
  }

  const loopback = await startLoopback<ResponsesRequest>({
    parse: (path, body) =>
      path.endsWith('/responses') ? (JSON.parse(body) as ResponsesRequest) : null,
    async answer(request, _path, response) {
      if (!request) return sendJson(response, 404, { error: { message: 'no such path' } });
      await play(chooseReply(script, asConversation(request)), request, response);
    },
  });
  return { ...loopback, served };
}

/** The request as a conversation of messages, each of the model's own answers one of them. */
function asConversation({ model, input }: ResponsesRequest): ModelRequest {
  const messages: ModelRequest['messages'] = [];
  for (const { type = 'message', role, content = [] } of input) {
    const own =
      type === 'message' ? role === 'assistant' : type === 'reasoning' || type.endsWith('_call');
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => part.text ?? part.encrypted_content ?? '').join('\n');
    if (own && messages.at(-1)?.role === 'assistant') continue;
    messages.push({ role: own ? 'assistant' : 'user', content: text });
  }
  return { model, messages, tools: [{ name: 'shell' }] };
}

type Head = { id: string; usage: Usage };

/** Streams one response. Returns whether it was sent to its end. */
async function stream(
  reply: Extract<Reply, { kind: 'message' }>,
  request: ResponsesRequest,
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
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // Clients that read by a schema want all of it.
  const { model } = request;
  send('response.created', { response: { id: head.id, created_at: 0, model } });
  for (const [index, block] of reply.content.entries()) {
    const item = itemOf(block, request, `${head.id}_${index}`);
    send('response.output_item.added', { output_index: index, item: { ...item, content: [] } });
    const words = block.type === 'text' ? (block.text.match(/\S+\s*|\s+/g) ?? []) : [''];
    for (const delta of words) {
      if (reply.pieceMs) await sleep(reply.pieceMs);
      if (!open) return false;
      if (reply.cutAfter !== undefined && pieces++ >= reply.cutAfter) {
        await cut(response);
        return false;
      }
      if (delta) send('response.output_text.delta', { delta, item_id: item.id });
    }
    send('response.output_item.done', { output_index: index, item });
  }
  const { input, cached, output, reasoning } = head.usage;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
  send('response.completed', { response: { id: head.id, usage } });
  response.end();
  return true;
}

function itemOf(
  block: Block,
  request: ResponsesRequest,
  id: string,
): { id: string; [field: string]: unknown } {
  switch (block.type) {
    case 'text':
      return {
        id,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: block.text }],
      };
    case 'thinking':
      return { id, type: 'reasoning', summary: [{ type: 'summary_text', text: block.thinking }] };
    case 'tool_use':
      return block.name.includes('.') || request.tools?.some(({ name }) => name === block.name)
        ? toolOf(block, id)
        : callOf(block.input, request, id);
    default:
      return block satisfies never;
  }
}

/** A call of a tool by its own name, which may stand in a namespace, as `namespace.name`. */
function toolOf(
  { name: path, input }: Extract<Block, { type: 'tool_use' }>,
  id: string,
): { id: string; [field: string]: unknown } {
  const [name, namespace] = path.split('.').toReversed();
  const called = { call_id: `call_${id}`, namespace, name, arguments: JSON.stringify(input) };
  return { id, type: 'function_call', status: 'completed', ...called };
}

/** A shell command in the form of the model at hand: a function, or code that calls it. */
function callOf(
  { command, sandbox_permissions, justification }: Readonly<Record<string, unknown>>,
  request: ResponsesRequest,
  id: string,
): { id: string; [field: string]: unknown } {
  const args = JSON.stringify({ cmd: command, sandbox_permissions, justification });
  if (request.tools?.some(({ name }) => name === 'exec_command')) {
    return {
      id,
      type: 'function_call',
      call_id: `call_${id}`,
      name: 'exec_command',
      arguments: args,
    };
  }
  const input = `const result = await tools.exec_command(${args}); text(result.output);`;
  return { id, type: 'custom_tool_call', call_id: `call_${id}`, name: 'exec', input };
}

/** What was served, in whole micro-dollars, by a price table that the product does not use. */
export function responsesBillOf(served: readonly Served[]): number {
  const microUsd = served.reduce((sum, { model, usage }) => {
    const { input: input_tokens, cached: cache_read_tokens, output: output_tokens } = usage;
    const counts = { input_tokens, cache_read_tokens, output_tokens };
    const price = calcPrice(counts, model, { providerId: 'openai' });
    if (!price) throw new Error(`no price is known for ${model}`);
    return sum + price.total_price * 1e6;
  }, 0);
  return Math.round(microUsd);
}

/** The tokens of what was served. */
export const responsesTokensOf = (served: readonly Served[]): Tokens => ({
  inputTokens: sumOf(served, ({ usage }) => usage.input - usage.cached),
  outputTokens: sumOf(served, ({ usage }) => usage.output),
  cacheReadTokens: sumOf(served, ({ usage }) => usage.cached),
  cacheWriteTokens: 0,
});
