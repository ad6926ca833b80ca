import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../failure.ts';
import { parseJson } from '../json.ts';
import { readBody, unpack, UnreadableError } from './body.ts';
import { estimatedInput, type Desk } from './desk.ts';
import type { Refusal } from './journal.ts';
import { Meter } from './meter.ts';
import type { CallFacts, Protocol } from './protocol.ts';
import { PROTOCOLS, type GatedSession } from './session.ts';
import {
  headersToReturn,
  headersToSend,
  UnansweredError,
  urlAt,
  type Upstream,
} from './upstream.ts';
import { refusalWords } from './words.ts';

export type Gated = { config: GatedSession; desk: Desk };
export type Exchange = {
  incoming: IncomingMessage;
  response: ServerResponse;
  /** Below the session's own address. */
  path: string;
  search: string;
};

/** Serves one request of a session that proved to be itself. */
export async function serveCall(
  { incoming, response, path, search }: Exchange,
  { config, desk }: Gated,
  upstream: Upstream,
): Promise<void> {
  const protocol = PROTOCOLS[config.protocol];
  const method = incoming.method ?? 'GET';
  const left = leaving(response);
  const body = await readBody(incoming);
  const refuse = (why: Refusal, what: string) =>
    sendRefusal(response, protocol, 400, refusalWords(why, what));
  const send = (bytes: Buffer) =>
    upstream.send({
      url: urlAt(config.upstream, path, search),
      method,
      headers: headersToSend(incoming.headers, config.headers, bytes.length),
      body: bytes,
      signal: left,
    });

  const kind = protocol.kindOf(method, path);
  if (kind === 'unknown') {
    const what = `${method} ${path}`;
    desk.refuse(what, 'unknown_endpoint');
    return refuse('unknown_endpoint', what);
  }
  const plain = await unpack(body, incoming.headers['content-encoding']);
  if (kind === 'free') return pass(await send(plain), response, null);
  const read = parseJson(plain.toString('utf8'));
  const call = protocol.readCall(path, read);
  if (!call)
    return sendRefusal(response, protocol, 400, 'Pilothouse: this is no call that can be metered.');
  const asked = { ...call, bytes: plain.length, usualOutputTokens: protocol.usualOutputTokens };
  const admission = await desk.admit(asked, left);
  if (!admission.ok) return refuse(admission.why, call.model);
  const { reservation, maxOutputTokens } = admission;
  let settled = false;
  const settle = (...[metered]: [Parameters<Desk['settle']>[1]]) => {
    if (!settled) desk.settle(reservation, metered);
    settled = true;
  };
  try {
    const bytes =
      maxOutputTokens === null
        ? plain
        : Buffer.from(JSON.stringify(protocol.lower(read, maxOutputTokens)));
    await forward(await send(bytes), response, { protocol, call, asked, settle });
  } catch (error) {
    if (error instanceof UnansweredError) settle(meterOf({ protocol, call, asked }, '').end(false));
    throw error;
  } finally {
    // It was not sent, or an error came back, which nobody charges for.
    settle(null);
  }
}

type Under = {
  protocol: Protocol;
  call: CallFacts;
  asked: { bytes: number };
  settle(metered: Parameters<Desk['settle']>[1]): void;
};

const meterOf = ({ protocol, call, asked }: Omit<Under, 'settle'>, contentType: string): Meter =>
  new Meter(protocol, { model: call.model, inputTokens: estimatedInput(asked) }, contentType);

/** Passes an answer on as it comes; what it came to is written down before its end is. */
async function forward(
  answer: IncomingMessage,
  response: ServerResponse,
  { protocol, call, asked, settle }: Under,
): Promise<void> {
  // Providers charge for no error.
  if ((answer.statusCode ?? 500) >= 400) return pass(answer, response, null);
  const meter = meterOf({ protocol, call, asked }, answer.headers['content-type'] ?? '');
  let whole = false;
  try {
    await pass(answer, response, meter, () => {
      whole = true;
      settle(meter.end(true));
    });
  } finally {
    if (!whole) settle(meter.end(false));
  }
}

/** Resolves when the answer is over, and throws when it, or whoever asked, broke off. */
async function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  meter: Meter | null,
  ended: () => void = () => undefined,
): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, headersToReturn(answer.headers));
  response.flushHeaders();
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    meter?.push(chunk);
    if (!response.write(chunk)) await drained(response);
  }
  ended();
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

/** Aborted when whoever asked is gone before the answer is over. */
function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('whoever asked is gone'));
  });
  return controller.signal;
}

/** An error in the provider's own form, which no engine tries again. */
export function sendRefusal(
  response: ServerResponse,
  protocol: Protocol,
  status: number,
  message: string,
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
  response.end(JSON.stringify(protocol.refuse(status, message)));
}

/** The provider was not reached: what an engine tries again, unless the fault is the request's own. */
export function sendFailed(response: ServerResponse, protocol: Protocol, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (error instanceof UnreadableError)
    return sendRefusal(response, protocol, error.status, `Pilothouse: ${error.message}.`);
  response.writeHead(502, { 'content-type': 'application/json' });
  const message = `Pilothouse: the provider could not be reached: ${messageOf(error)}`;
  response.end(JSON.stringify(protocol.refuse(502, message)));
}
