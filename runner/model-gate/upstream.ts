import {
  Agent,
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

/** They are of one connection, or are said anew for the next one. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Where callers of the known providers put a key. */
export const KEY_HEADERS = ['x-api-key', 'authorization', 'x-goog-api-key'] as const;

export type Outgoing = {
  url: URL;
  method: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
  signal: AbortSignal;
};

/** A provider was asked, whole, and nobody waited for its answer: it may charge for it all the same. */
export class UnansweredError extends Error {}

/** Asks providers, the way that the machine is configured to reach them. */
export class Upstream {
  readonly #plain: Agent;
  readonly #secure: SecureAgent;

  /** `env` names the proxies, as for any other program. */
  constructor(env: NodeJS.ProcessEnv) {
    const options = { keepAlive: true, proxyEnv: env };
    this.#plain = new Agent(options);
    this.#secure = new SecureAgent(options);
  }

  /** Throws {@link UnansweredError} when the request was sent, and another error when it was not. */
  send({ url, method, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const ask = secure ? requestHttps : requestHttp;
    const agent = secure ? this.#secure : this.#plain;
    return new Promise((resolve, reject) => {
      const request = ask(url, { method, headers, agent, signal }, resolve);
      const failed = (error: Error) => {
        // A connection that was kept and was closed meanwhile took nothing.
        const sent = request.writableFinished && !(request.reusedSocket && !signal.aborted);
        reject(sent ? new UnansweredError(error.message, { cause: error }) : error);
      };
      request.once('error', failed);
      pipeline(Readable.from(body.length > 0 ? [body] : []), request).catch(failed);
    });
  }
}

/** What of a caller's headers is the provider's business: everything but the key and the connection. */
export function headersToSend(
  from: IncomingHttpHeaders,
  own: Readonly<Record<string, string>>,
  length: number,
): Record<string, string | string[]> {
  const kept = headersOf(from, [...KEY_HEADERS, 'accept-encoding', 'content-encoding']);
  // Figures are read as they pass, so that nothing may be packed.
  return { ...kept, ...own, 'accept-encoding': 'identity', 'content-length': String(length) };
}

/** An answer's headers, as they came. */
export const headersToReturn = (from: IncomingHttpHeaders): Record<string, string | string[]> =>
  headersOf(from, []);

function headersOf(
  from: IncomingHttpHeaders,
  without: readonly string[],
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && !OF_THE_CONNECTION.has(name) && !without.includes(name))
      kept[name] = value;
  return kept;
}

/** The provider's address for a path behind the gate, with its own base and parameters. */
export function urlAt(base: string, path: string, search: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  const params = new URLSearchParams(search);
  params.delete('key');
  for (const [name, value] of params) url.searchParams.append(name, value);
  return url;
}
