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
/** A server may take so long to agree to another protocol, in ms. */
const UPGRADE_MS = 30_000;

const NO_ANSWER = 'What the server of the session said is no answer that can be passed on.\n';

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
      // For as long as it is there: one that nobody hears would end the runner.
      forward.#server.on('error', reject);
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
    const fail = (words: string) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end(words);
    };
    orElse(
      () => {
        const call = this.#call(incoming, headersAlong(incoming.headers));
        response.on('close', () => call.destroy());
        call.on('error', () => fail('No process of the session listens there any more.\n'));
        // Nothing else tells of an answer that begins another protocol, which nobody asked for.
        call.on('close', () => response.headersSent || fail(NO_ANSWER));
        call.on('response', (answer) => {
          answer.on('error', () => response.destroy());
          orElse(
            () => {
              response.writeHead(decideStatus(answer.statusCode), withFrames(answer));
              answer.pipe(response);
            },
            () => {
              fail(NO_ANSWER);
              call.destroy();
            },
          );
        });
        incoming.pipe(call);
      },
      () => fail('The request cannot be passed on.\n'),
    );
  }

  /** A WebSocket, or whatever else is agreed on: from then on bytes, both ways. */
  #upgrade(incoming: IncomingMessage, near: Duplex, head: Buffer): void {
    near.on('error', () => near.destroy());
    if (!decideHost(incoming.headers.host, this.name, this.#port)) return void near.destroy();
    this.#ports.used();
    const { upgrade = '' } = incoming.headers;
    const headers = { ...headersAlong(incoming.headers), connection: 'Upgrade', upgrade };
    const leave = () => void near.destroy();
    orElse(() => {
      const call = this.#call(incoming, headers);
      // A server that answers nothing would hold both connections for as long as there is a preview.
      const late = setTimeout(leave, UPGRADE_MS);
      late.unref();
      near.once('end', leave);
      near.once('close', () => {
        clearTimeout(late);
        call.destroy();
      });
      call.on('upgrade', (answer, far, first) => {
        far.on('error', leave);
        far.on('close', leave);
        near.on('close', () => far.destroy());
        clearTimeout(late);
        // Agreed on, one side may end what it says and still be told.
        near.off('end', leave);
        near.write(switching(answer), 'latin1');
        if (first.length > 0) near.write(first);
        if (head.length > 0) far.write(head);
        far.pipe(near);
        near.pipe(far);
      });
      call.on('response', leave);
      call.on('error', leave);
      call.end();
    }, leave);
  }
}

/**
 * Does something with what a server or a browser said; what it throws over ends that one message.
 * From a handler of an event it would end the runner.
 */
function orElse(work: () => void, failed: () => void): void {
  try {
    work();
  } catch {
    failed();
  }
}

/** The status to answer with: what is none of an answer is a fault of the server's. Pure. */
export const decideStatus = (status: number | undefined): number =>
  status !== undefined && status >= 200 && status <= 599 ? status : 502;

/** The answer that begins another protocol, byte for byte as the server gave its headers. Pure. */
function switching({ rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
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
