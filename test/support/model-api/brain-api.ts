import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestProject } from 'vitest/node';
import { agentCompletion, agentMessage } from './agent-answers.ts';
import type { BrainReply, SeenCall } from './brain-script.ts';

type Room = { replies: BrainReply[]; seen: SeenCall[] };

let close = async (): Promise<void> => undefined;

/**
 * The APIs that a brain asks, on loopback, for tests that themselves run in workerd: each takes a
 * room of its own, says what is answered there (POST /script/ROOM) and reads what was asked (GET).
 */
export async function setup(project: TestProject): Promise<void> {
  const rooms = new Map<string, Room>();
  const server = createServer((request, response) => {
    handle(rooms, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  project.provide('brainApi', `http://127.0.0.1:${address.port}`);
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
}

/** Ends what {@link setup} started. */
export const teardown = (): Promise<void> => close();

async function handle(
  rooms: Map<string, Room>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, kind, name = '', ...path] = (request.url ?? '').split('/');
  const body = await readBody(request);
  if (kind === 'script') {
    if (request.method === 'POST')
      rooms.set(name, { replies: JSON.parse(body) as BrainReply[], seen: [] });
    return sendJson(response, 200, rooms.get(name)?.seen ?? []);
  }
  const room = rooms.get(name);
  if (!room) return sendJson(response, 404, { error: { message: 'no such room' } });
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const key = typeof apiKey === 'string' ? apiKey : (authorization ?? null);
  const asked = JSON.parse(body) as Record<string, unknown>;
  room.seen.push({ path: path.join('/'), key, body: asked });
  const reply = room.replies.length > 1 ? room.replies.shift() : room.replies[0];
  if (!reply || reply.kind === 'hang') return;
  if (reply.kind === 'error') {
    // As real providers do, some words of which repeat what was sent.
    const error = { message: `Refused: ${key ?? ''}`, type: 'error' };
    for (const [header, value] of Object.entries(reply.headers ?? {}))
      response.setHeader(header, value);
    return sendJson(response, reply.status, { type: 'error', error });
  }
  if (reply.kind === 'raw') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply.text);
    return;
  }
  if (reply.kind === 'calls') {
    const say = path.at(-1) === 'messages' ? agentMessage : agentCompletion;
    return sendJson(response, 200, say(asked, reply, room.seen.length));
  }
  const make = path.at(-1) === 'messages' ? messageOf : completionOf;
  sendJson(response, 200, make(asked, reply));
}

type Answered = Extract<BrainReply, { kind: 'answer' }>;

function messageOf(asked: Record<string, unknown>, { answer, finish, usage }: Answered) {
  const tools = (asked['tools'] ?? []) as { name: string }[];
  const byTool = tools.some(({ name }) => name === 'json') && typeof answer === 'object';
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const stops = {
    stop: byTool ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    refusal: 'refusal',
  };
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: asked['model'],
    content: byTool
      ? [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: answer }]
      : [{ type: 'text', text }],
    stop_reason: stops[finish ?? 'stop'],
    stop_sequence: null,
    usage: {
      input_tokens: usage?.input ?? 900,
      output_tokens: usage?.output ?? 40,
      cache_read_input_tokens: usage?.cacheRead ?? 0,
      cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    },
  };
}

function completionOf(asked: Record<string, unknown>, { answer, finish, usage }: Answered) {
  const content = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const stops = { stop: 'stop', length: 'length', refusal: 'content_filter' };
  const input = usage?.input ?? 900;
  const output = usage?.output ?? 40;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: asked['model'],
    choices: [
      { index: 0, message: { role: 'assistant', content }, finish_reason: stops[finish ?? 'stop'] },
    ],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: usage?.cacheRead ?? 0 },
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
