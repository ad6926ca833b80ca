import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { isSealedPeer } from './peer.ts';

/** What came in over TLS: who was called, with which login, and whether from a seal. */
export type Called = {
  host: string;
  path: string;
  login: string | null;
  body: string;
  sealed: boolean;
};

/** An answer that is no 200. */
export class Refusal {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    this.status = status;
    this.body = body;
  }
}

const openssl = (directory: string, ...args: string[]) =>
  execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });

/**
 * Stands for hosts whose names a program has built in: a proxy for it to be told of, behind which
 * every name leads to one server of this process, with a certificate of an authority that the test
 * makes. What `answer` leaves alone is passed on to `api`. Nothing leaves this machine.
 */
export class Issuer {
  readonly called: Called[] = [];
  readonly #api: string;
  readonly #answer: (called: Called) => object | null;
  readonly #tls: Server;
  readonly #proxy = createServer();
  readonly #sockets = new Set<Socket>();
  /** Of the connections that the proxy made, by their own port: whether a seal asked for it. */
  readonly #sealed = new Map<number | undefined, boolean>();

  private constructor(directory: string, api: string, answer: (called: Called) => object | null) {
    this.#api = api;
    this.#answer = answer;
    const [key, cert] = ['server.key', 'server.pem'].map((name) =>
      readFileSync(join(directory, name)),
    );
    this.#tls = createTlsServer({ key, cert }, (request, response) => {
      void this.#serve(request, response);
    });
    this.#proxy.on('connect', (_request, client: Socket) => {
      const { port } = this.#tls.address() as AddressInfo;
      const sealed = isSealedPeer(client.remotePort);
      const server = connect(port, '127.0.0.1', () => {
        this.#sealed.set(server.localPort, sealed);
        client.write('HTTP/1.1 200 OK\r\n\r\n');
      });
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      client.pipe(server).pipe(client);
    });
  }

  /** `names`: of the hosts, as they stand in a certificate. */
  static async start(
    directory: string,
    names: readonly string[],
    api: string,
    answer: (called: Called) => object | null,
  ): Promise<Issuer> {
    mkdirSync(directory, { recursive: true });
    const made = ['-newkey', 'rsa:2048', '-nodes'];
    const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=tests'];
    openssl(directory, 'req', '-x509', ...made, ...authority);
    openssl(directory, 'req', ...made, '-keyout', 'server.key', '-out', 'csr', '-subj', '/CN=x');
    const named = names.map((name) => `DNS:${name}`).join(',');
    writeFileSync(join(directory, 'names'), `subjectAltName=${named}`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    const out = ['-extfile', 'names', '-out', 'server.pem'];
    openssl(directory, 'x509', '-req', '-in', 'csr', ...signed, ...out);
    const issuer = new Issuer(directory, api, answer);
    for (const server of [issuer.#tls, issuer.#proxy])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get proxyUrl(): string {
    return `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of [this.#tls, this.#proxy]) server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const called: Called = {
      host: request.headers.host ?? '',
      path: request.url ?? '',
      login: request.headers.authorization ?? null,
      body: body.toString(),
      sealed: this.#sealed.get(request.socket.remotePort) ?? false,
    };
    this.called.push(called);
    const answered = this.#answer(called);
    if (answered === null) return this.#passOn(request, body, response);
    const refused = answered instanceof Refusal ? answered : null;
    response.writeHead(refused?.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(refused?.body ?? answered));
  }

  #passOn({ url = '', method, headers }: IncomingMessage, body: Buffer, response: ServerResponse) {
    const onward = send(new URL(url, this.#api), { method, headers }, (got) => {
      response.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }
}
