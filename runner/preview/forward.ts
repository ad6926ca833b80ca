import { randomBytes } from 'node:crypto';
import {
  Agent,
  createServer,
  type ClientRequest,
  type IncomingMessage,
  request as callServer,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connections of one preview at a time, from browsers and to the server each. */
const CONNECTIONS_MAX = 64;
/** A connection to the server is kept for the next request for so long, in ms. */
const KEEP_MS = 5_000;
/** Headers of a request, in bytes. */
const HEADERS_MAX = 32 * 1024;

/** Of one connection, and not of what it carries (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

export type ForwardPorts = {
  /** A new connection to the server; rejects where the session has none there any more. */
  dial(): Promise<Socket>;
  /** Somebody uses it. */
  used(): void;
};

/**
 * Whether a request is for this preview: by its whole name, which is a secret, so that nobody else
 * on the machine reaches it, and no page ever shares the console's host. Pure.
 */
export function decideHost(host: string | undefined, name: string, port: number): boolean {
  return host !== undefined && host.toLowerCase() === `${name}:${port}`;
}

/** The headers without those of the connection alone. Pure. */
export function headersAlong(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

/**
 * A server of a session, on a loopback port of its own. What it says is not to be trusted: it has a
 * host of its own below `localhost`, so that the console's cookies are not sent to it and it can set
 * none for the console, and nobody else may frame it. Nothing is kept or read of what passes.
 */
export class Forward {
  readonly name = `${randomBytes(16).toString('hex')}.localhost`;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #ports: ForwardPorts;
  readonly #open = new Set<Duplex>();

  private constructor(ports: ForwardPorts) {
    this.#ports = ports;
    this.#agent = new Agent({ keepAlive: true, keepAliveMsecs: KEEP_MS, timeout: 0 });
    this.#agent.maxTotalSockets = CONNECTIONS_MAX;
    this.#agent.createConnection = (_options, created) => {
      ports.dial().then(
        (socket) => created?.(null, this.#track(socket)),
        (error: unknown) => created?.(error as Error, undefined as never),
      );
      return undefined;
    };
    this.#server = createServer({ maxHeaderSize: HEADERS_MAX }, (incoming, response) =>
      this.#serve(incoming, response),
    );
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.on('connection', (socket) => this.#track(socket));
    this.#server.on('upgrade', (incoming, socket, head) => this.#upgrade(incoming, socket, head));
  }

  static async listen(ports: ForwardPorts): Promise<Forward> {
    const forward = new Forward(ports);
    await new Promise<void>((resolve, reject) => {
      forward.#server.once('error', reject);
      forward.#server.listen(0, '127.0.0.1', resolve);
    });
    return forward;
  }

  get url(): string {
    return `http://${this.name}:${this.#port}/`;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#agent.destroy();
    for (const socket of this.#open) socket.destroy();
  }

  #track<S extends Duplex>(socket: S): S {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  #call(incoming: IncomingMessage, headers: IncomingMessage['headers']): ClientRequest {
    const { method, url } = incoming;
    return callServer({ agent: this.#agent, method, path: url, headers, setHost: false });
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    if (!decideHost(incoming.headers.host, this.name, this.#port))
      return void response.writeHead(421).end('This is not the address of a preview.\n');
    this.#ports.used();
    const call = this.#call(incoming, headersAlong(incoming.headers));
    call.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withFrames(answer));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    call.on('error', () => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { 'content-type': 'text/plain' })
          .end('No process of the session listens there any more.\n');
    });
    response.on('close', () => call.destroy());
    incoming.pipe(call);
  }

  /** A WebSocket, or whatever else is agreed on: from then on bytes, both ways. */
  #upgrade(incoming: IncomingMessage, near: Duplex, head: Buffer): void {
    near.on('error', () => near.destroy());
    if (!decideHost(incoming.headers.host, this.name, this.#port)) return void near.destroy();
    this.#ports.used();
    const { upgrade = '' } = incoming.headers;
    const headers = { ...headersAlong(incoming.headers), connection: 'Upgrade', upgrade };
    const call = this.#call(incoming, headers);
    call.on('upgrade', (answer, far, first) => {
      const lines = answer.rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${answer.rawHeaders[index + 1]}`] : [],
      );
      near.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (first.length > 0) near.write(first);
      if (head.length > 0) far.write(head);
      far.pipe(near);
      near.pipe(far);
      far.on('error', () => near.destroy());
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    call.on('response', () => near.destroy());
    call.on('error', () => near.destroy());
    call.end();
  }
}

/** The answer's own headers, and that nobody but itself may frame it. */
function withFrames({ headers }: IncomingMessage): Record<string, string | string[]> {
  const own = Object.entries(headersAlong(headers)).flatMap(
    ([name, value]): [string, string | string[]][] => (value === undefined ? [] : [[name, value]]),
  );
  const policy = headers['content-security-policy'];
  const policies = policy === undefined ? [] : [policy].flat();
  return {
    ...Object.fromEntries(own),
    'content-security-policy': [...policies, "frame-ancestors 'self'"],
  };
}
