import type { ServerResponse } from 'node:http';
import { calcPrice } from '@pydantic/genai-prices';
import { cut, type Loopback, sendJson, sleep, startLoopback } from './loopback.ts';
import {
  cappedAt,
  chooseReply,
  USAGE,
  type Block,
  type ModelRequest,
  type Reply,
  type Script,
  type Usage,
} from './script.ts';
import { sumOf, type Tokens } from './tokens.ts';

type Part = { text?: string };
type ChatMessage = { role: string; content?: string | Part[] | null };
type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  tools?: { function?: { name?: string } }[];
  stream?: boolean;
  max_tokens?: number;
};

/** Cached tokens are a part of the prompt's, as those of reasoning are of the answer's. */
type ChatUsage = { prompt: number; cached: number; completion: number; reasoning: number };

/** One answer that was served, as a bill would list it. */
export type ChatServed = { model: string; usage: ChatUsage; complete: boolean };

export type ChatApi = Loopback<ChatRequest> & {
  /** Every answer served, those of helpers included. */
  served: ChatServed[];
};

type ChatOptions = {
  /** A conversation whose system message says this is a helper's, whatever tools it has. */
  helper?: RegExp;
};

/**
 * Starts an API of chat completions on a loopback port that plays `script`: server-sent events, a
 * text in pieces, and the figures in an event of their own after the last piece, so that a stream
 * that is cut tells none.
 */
export async function startChatApi(script: Script, { helper }: ChatOptions = {}): Promise<ChatApi> {
  const served: ChatServed[] = [];
  let count = 0;

  async function play(reply: Reply, request: ChatRequest, response: ServerResponse) {
    if (reply.kind === 'hang') return;
    if (reply.kind === 'error') {
      for (const [name, value] of Object.entries(reply.headers ?? {}))
        response.setHeader(name, value);
      const { type, message } = reply;
      return sendJson(response, reply.status, { error: { message, type, code: type } });
    }
    const entry = { model: request.model, usage: usageOf(reply.usage, request), complete: false };
    served.push(entry);
    const id = `chatcmpl-${++count}`;
    if (reply.firstByteMs) await sleep(reply.firstByteMs);
    if (request.stream) {
      entry.complete = await stream(reply, entry, id, response);
      return;
    }
    const message = { role: 'assistant', ...wholeOf(reply.content, id) };
    const choices = [{ index: 0, message, finish_reason: endOf(reply.content) }];
    sendJson(response, 200, { id, model: entry.model, choices, usage: told(entry.usage) });
    entry.complete = true;
  }

  const loopback = await startLoopback<ChatRequest>({
    parse: (path, body) =>
      path.endsWith('/chat/completions') ? (JSON.parse(body) as ChatRequest) : null,
    async answer(request, _path, response) {
      if (!request) return sendJson(response, 404, { error: { message: 'no such path' } });
      await play(chooseReply(script, asConversation(request, helper)), request, response);
    },
  });
  return { ...loopback, served };
}

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');

/** Tool results come as messages of the user, as in the other protocols. */
function asConversation(
  { model, messages, tools = [] }: ChatRequest,
  helper?: RegExp,
): ModelRequest {
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  return {
    model,
    messages: messages
      .filter(({ role }) => role !== 'system')
      .map((message) => ({
        role: message.role === 'assistant' ? 'assistant' : 'user',
        content: message.role === 'tool' ? '' : textOf(message),
      })),
    tools:
      helper && system.some((text) => helper.test(text))
        ? []
        : tools.map(({ function: named }) => ({ name: named?.name ?? '' })),
  };
}

function usageOf(change: Partial<Usage> = {}, { max_tokens }: ChatRequest): ChatUsage {
  const usage = { ...USAGE, ...change };
  return {
    prompt: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    cached: usage.cache_read_input_tokens,
    completion: cappedAt(usage.output_tokens, max_tokens),
    reasoning: 3,
  };
}

const told = ({ prompt, cached, completion, reasoning }: ChatUsage) => ({
  prompt_tokens: prompt,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens: completion,
  completion_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: prompt + completion,
});

const endOf = (content: readonly Block[]): string =>
  content.some(({ type }) => type === 'tool_use') ? 'tool_calls' : 'stop';

function callOf(block: Extract<Block, { type: 'tool_use' }>, id: string) {
  const call = { name: block.name, arguments: JSON.stringify(block.input) };
  return { index: 0, id: `call_${id}`, type: 'function', function: call };
}

function wholeOf(content: readonly Block[], id: string) {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const tools = content.flatMap((block) => (block.type === 'tool_use' ? [callOf(block, id)] : []));
  return { content: texts.join('') || null, ...(tools.length > 0 && { tool_calls: tools }) };
}

function piecesOf(block: Block, id: string): object[] {
  switch (block.type) {
    case 'text':
      return (block.text.match(/\S+\s*|\s+/g) ?? []).map((content) => ({ content }));
    case 'thinking':
      return [{ reasoning_content: block.thinking }];
    case 'tool_use':
      return [{ tool_calls: [callOf(block, id)] }];
    default:
      return block satisfies never;
  }
}

/** Streams one answer, texts word by word. Returns whether it was sent to its end. */
async function stream(
  reply: Extract<Reply, { kind: 'message' }>,
  { model, usage }: ChatServed,
  id: string,
  response: ServerResponse,
): Promise<boolean> {
  let open = true;
  response.on('close', () => {
    open = response.writableFinished;
  });
  const send = (rest: object) => {
    const chunk = { id, object: 'chat.completion.chunk', created: 0, model, ...rest };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = reply.content.flatMap((block) => piecesOf(block, id));
  for (const [index, delta] of pieces.entries()) {
    if (reply.pieceMs) await sleep(reply.pieceMs);
    if (!open) return false;
    if (reply.cutAfter !== undefined && index >= reply.cutAfter) {
      await cut(response);
      return false;
    }
    send({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: endOf(reply.content) }] });
  send({ choices: [], usage: told(usage) });
  response.end('data: [DONE]\n\n');
  return true;
}

/** Of what was served, what the engine could be told: an answer that is cut off brings no figures. */
const whole = (served: readonly ChatServed[]) => served.filter(({ complete }) => complete);

/** What was served, in whole micro-dollars, by a price table that the product does not use. */
export function chatBillOf(served: readonly ChatServed[]): number {
  const microUsd = sumOf(whole(served), ({ model, usage }) => {
    const counts = {
      input_tokens: usage.prompt,
      cache_read_tokens: usage.cached,
      output_tokens: usage.completion,
    };
    const price = calcPrice(counts, model);
    if (!price) throw new Error(`no price is known for ${model}`);
    return price.total_price * 1e6;
  });
  return Math.round(microUsd);
}

/** The tokens of everything that was served to its end. */
export function chatTokensOf(served: readonly ChatServed[]): Tokens {
  const usage = whole(served).map((each) => each.usage);
  return {
    inputTokens: sumOf(usage, ({ prompt, cached }) => prompt - cached),
    outputTokens: sumOf(usage, ({ completion }) => completion),
    cacheReadTokens: sumOf(usage, ({ cached }) => cached),
    cacheWriteTokens: 0,
  };
}
