import type { ServerResponse } from 'node:http';
import { fill, type Schema } from './gemini-schema.ts';
import { cut, type Loopback, sendJson, sleep, startLoopback } from './loopback.ts';
import {
  cappedAt,
  chooseReply,
  USAGE,
  type Block,
  type Reply,
  type Script,
  type Usage,
} from './script.ts';

/** Source: the Gemini API reference (`GenerateContentRequest`), as gemini 0.61.0 uses it. */
type Part = {
  text?: string;
  thought?: boolean;
  functionCall?: { id?: string; name: string; args?: Record<string, unknown> };
  functionResponse?: { name: string; response?: unknown };
};

export type GeminiRequest = {
  model: string;
  method: 'generateContent' | 'streamGenerateContent' | 'countTokens' | 'embedContent';
  contents: { role?: 'user' | 'model'; parts?: Part[] }[];
  tools?: { functionDeclarations?: { name: string }[] }[];
  generationConfig?: {
    responseMimeType?: string;
    responseJsonSchema?: Schema;
    maxOutputTokens?: number;
  };
  /** Asked through Code Assist, as for a subscription: the request stood in another one, as the answer does. */
  enveloped?: boolean;
};

/** Cached tokens are part of the prompt's; thoughts are billed as output and counted apart. */
export type GeminiUsage = { prompt: number; cached: number; candidates: number; thoughts: number };

/** One request that the API answered, as a bill would list it. */
export type GeminiServed = { model: string; usage: GeminiUsage; complete: boolean };

export type GeminiApi = Loopback<GeminiRequest> & {
  /** Every answer served, those of helper models included. */
  served: GeminiServed[];
};

const THOUGHTS = 7;

/** What gemini 0.61.0 calls for a login with Google (`packages/core/src/code_assist/server.ts`). */
const CODE_ASSIST_METHOD =
  /^\/v1internal:(generateContent|streamGenerateContent|countTokens)(\?|$)/;

const METHOD =
  /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens|embedContent)$/;

/**
 * Starts a Gemini API on a loopback port that plays `script`. It streams as the real one does:
 * server-sent events, each a whole response with a part of the text; the figures stand in the
 * last, so that a stream that is cut tells none.
 */
export async function startGeminiApi(script: Script): Promise<GeminiApi> {
  const served: GeminiServed[] = [];

  async function play(reply: Reply, request: GeminiRequest, response: ServerResponse) {
    if (reply.kind === 'hang') return;
    if (reply.kind === 'error') {
      for (const [name, value] of Object.entries(reply.headers ?? {}))
        response.setHeader(name, value);
      return sendJson(response, reply.status, errorBody(reply));
    }
    const entry = { model: request.model, usage: usageOf(reply.usage, request), complete: false };
    served.push(entry);
    if (reply.firstByteMs) await sleep(reply.firstByteMs);
    if (request.method === 'streamGenerateContent') {
      entry.complete = await stream(reply, entry, request, response);
      return;
    }
    sendJson(response, 200, inEnvelope(chunkOf(reply.content.map(partOf), entry, true), request));
    entry.complete = true;
  }

  const loopback = await startLoopback<GeminiRequest>({
    parse(path, body) {
      const [, assisted] = CODE_ASSIST_METHOD.exec(path) ?? [];
      if (assisted) {
        const { model, request } = JSON.parse(body);
        return { contents: [], ...request, model, method: assisted, enveloped: true };
      }
      const [, model, method] = METHOD.exec(path) ?? [];
      return model && method ? { contents: [], ...JSON.parse(body), model, method } : null;
    },
    async answer(request, _path, response) {
      if (!request)
        return sendJson(response, 404, errorBody({ status: 404, type: 'NOT_FOUND', message: '' }));
      if (request.method === 'countTokens') return sendJson(response, 200, { totalTokens: 42 });
      if (request.method === 'embedContent')
        return sendJson(response, 200, { embedding: { values: [0] } });
      await play(replyTo(script, request), request, response);
    },
  });
  return { ...loopback, served };
}

/** A helper model's call asks for JSON of a schema, or offers no tools; the script is the main model's. */
function replyTo(script: Script, request: GeminiRequest): Reply {
  const schema = request.generationConfig?.responseJsonSchema;
  if (schema)
    return {
      kind: 'message',
      content: [{ type: 'text', text: JSON.stringify(fill(schema)) }],
      usage: { output_tokens: 5 },
    };
  return chooseReply(script, {
    model: request.model,
    messages: request.contents.map(({ role, parts = [] }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      content: parts.map(({ text }) => ({ type: 'text', text: text ?? '' })),
    })),
    // A conversation without tools says so with an empty list; a helper's call has none at all.
    tools: request.tools ? [{ name: 'any' }] : [],
  });
}

function usageOf(change: Partial<Usage> = {}, { generationConfig }: GeminiRequest): GeminiUsage {
  const usage = { ...USAGE, ...change };
  const limit = generationConfig?.maxOutputTokens;
  return {
    prompt: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    cached: usage.cache_read_input_tokens,
    candidates: cappedAt(usage.output_tokens, limit === undefined ? limit : limit - THOUGHTS),
    thoughts: THOUGHTS,
  };
}

const errorBody = ({
  status,
  type,
  message,
}: {
  status: number;
  type: string;
  message: string;
}) => ({
  error: { code: status, message, status: type },
});

function partOf(block: Block): Part {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'thinking':
      return { text: block.thinking, thought: true };
    case 'tool_use':
      return { functionCall: { name: block.name, args: block.input } };
    default:
      return block satisfies never;
  }
}

function chunkOf(parts: Part[], { model, usage }: GeminiServed, last: boolean) {
  const { prompt, cached, candidates, thoughts } = usage;
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }) },
    ],
    modelVersion: model,
    responseId: 'res_test',
    ...(last && {
      usageMetadata: {
        promptTokenCount: prompt,
        cachedContentTokenCount: cached,
        candidatesTokenCount: candidates,
        thoughtsTokenCount: thoughts,
        totalTokenCount: prompt + candidates + thoughts,
      },
    }),
  };
}

const inEnvelope = (chunk: object, { enveloped = false }: GeminiRequest): object =>
  enveloped ? { response: chunk, traceId: 'trace_test' } : chunk;

/** Streams one answer, texts word by word. Returns whether it was sent to its end. */
async function stream(
  reply: Extract<Reply, { kind: 'message' }>,
  entry: GeminiServed,
  request: GeminiRequest,
  response: ServerResponse,
): Promise<boolean> {
  let open = true;
  response.on('close', () => {
    open = response.writableFinished;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = reply.content.flatMap((block): Part[] =>
    block.type === 'text'
      ? (block.text.match(/\S+\s*|\s+/g) ?? []).map((text) => ({ text }))
      : [partOf(block)],
  );
  for (const [index, part] of pieces.entries()) {
    if (reply.pieceMs) await sleep(reply.pieceMs);
    if (!open) return false;
    if (reply.cutAfter !== undefined && index >= reply.cutAfter) {
      await cut(response);
      return false;
    }
    const chunk = inEnvelope(chunkOf([part], entry, index === pieces.length - 1), request);
    response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  }
  response.end();
  return true;
}
