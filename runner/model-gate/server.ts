import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseJson } from '../json.ts';
import { listenWhereBefore } from '../lasting/listen.ts';
import { controlTokenOf, isSame } from '../lasting/tokens.ts';
import { sendRefusal, sendFailed, serveCall, type Gated } from './call.ts';
import { Desk } from './desk.ts';
import { journalPath } from './files.ts';
import { gatedSession, PROTOCOLS } from './session.ts';
import { placeholderOf } from './tokens.ts';
import { KEY_HEADERS, Upstream } from './upstream.ts';
import { STRANGER } from './words.ts';

export type ModelGateOptions = {
  /** The gate's own directory. */
  root: string;
  key: Buffer;
  env: NodeJS.ProcessEnv;
  now(): number;
  /** The runner says that it is over. */
  ended(): void;
};

/**
 * The model API as sessions see it: on a loopback port, with the key on this side. Whoever calls
 * names a session by the path and proves it by the placeholder that only that session has.
 */
export class ModelGate {
  readonly #options: ModelGateOptions;
  readonly #upstream: Upstream;
  readonly #sessions = new Map<string, Gated>();
  readonly #server: Server;
  /** Times that anybody called, for whoever decides whether the gate is still of use. */
  heard = 0;

  constructor(options: ModelGateOptions) {
    this.#options = options;
    this.#upstream = new Upstream(options.env);
    this.#server = createServer((incoming, response) => {
      // One call that goes wrong in a way of its own ends no other: this process is every session's.
      this.#serve(incoming, response).catch(() => response.destroy());
    });
    // An answer may take as long as its model thinks.
    this.#server.requestTimeout = 0;
    this.#server.keepAliveTimeout = 60_000;
  }

  get busy(): boolean {
    return [...this.#sessions.values()].some(({ desk }) => desk.busy);
  }

  /** Listens where an earlier gate did, because engines outlive it. Returns the port. */
  listen(): Promise<number> {
    return listenWhereBefore(this.#server, this.#options.root);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.heard += 1;
    const { pathname, search } = addressOf(incoming);
    const [, area, sessionId = ''] = pathname.split('/');
    if (area === 'control') return this.#control(incoming, response, sessionId);
    const session = area === 's' ? this.#sessions.get(sessionId) : undefined;
    const protocol = PROTOCOLS[session?.config.protocol ?? 'anthropic'];
    if (!session || !isSame(keyOf(incoming, search), placeholderOf(this.#options.key, sessionId)))
      return sendRefusal(response, protocol, 401, STRANGER);
    const path = pathname.slice(`/s/${sessionId}`.length) || '/';
    try {
      await serveCall({ incoming, response, path, search }, session, this.#upstream);
    } catch (error) {
      sendFailed(response, protocol, error);
    }
  }

  /** What the runner says; nobody else knows the token. */
  async #control(
    incoming: IncomingMessage,
    response: ServerResponse,
    sessionId: string,
  ): Promise<void> {
    const end = (status: number) => void response.writeHead(status).end();
    const token = `Bearer ${controlTokenOf(this.#options.key)}`;
    if (!isSame(incoming.headers.authorization ?? '', token)) return end(401);
    if (sessionId === '') {
      end(204);
      return incoming.method === 'DELETE' ? this.#options.ended() : undefined;
    }
    if (!/^\w+$/.test(sessionId)) return end(400);
    if (incoming.method === 'DELETE') {
      this.#sessions.delete(sessionId);
      return end(204);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const parsed = gatedSession.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
    if (!parsed.success) return end(400);
    const { root, now } = this.#options;
    const desk = this.#sessions.get(sessionId)?.desk ?? new Desk(journalPath(root, sessionId), now);
    this.#sessions.set(sessionId, { config: parsed.data, desk });
    desk.grant(parsed.data.grantMicroUsd);
    end(204);
  }
}

/** What is asked for, without what climbs; no address, as anybody may send, is nobody's. */
function addressOf({ url = '/' }: IncomingMessage): Pick<URL, 'pathname' | 'search'> {
  return URL.parse(url, 'http://gate') ?? { pathname: '/', search: '' };
}

/** The key that a caller sends, wherever its provider has it. */
function keyOf({ headers }: IncomingMessage, search: string): string {
  const found = KEY_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
  const key = typeof found === 'string' ? found : (new URLSearchParams(search).get('key') ?? '');
  return key.replace(/^Bearer /i, '');
}
