import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '../failure.ts';
import { decideWay, type NetworkRules, type Way } from './rules.ts';

export type ProxyOptions = {
  rules(): NetworkRules;
  /** Connects to what the rules lead to. */
  dial(way: Exclude<Way, { to: 'nobody' }>): Promise<Socket>;
  /** A host that the rules do not lead to, as `name:port`. */
  refused(host: string): void;
};

const sayNo = (host: string): string =>
  `Pilothouse: the network of this session is closed to ${host}; it reaches its model alone. Do not try again: go on without it, or tell the person, who can name the host under \`hosts\` in limits.toml.\n`;

/** The proxy of one closed session: leads to the hosts of its rules, and to nobody else. */
export function openProxy({ rules, dial, refused }: ProxyOptions): Server {
  // Only tunnels: nothing that is sent through is read.
  const server = createServer((incoming, response) => {
    const host = hostOf(incoming);
    refused(host);
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' });
    response.end(sayNo(host));
  });
  server.on('connect', (incoming: IncomingMessage, near: Duplex, head: Buffer) => {
    near.on('error', () => near.destroy());
    const way = decideWay(incoming.url ?? '', rules());
    if (way.to === 'nobody') {
      refused(way.host);
      answer(near, '403 Forbidden', sayNo(way.host));
      return;
    }
    const tunnel = (far: Socket): void => {
      // Whoever asked may be gone by now.
      if (near.destroyed) return void far.destroy();
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) far.write(head);
      join(near, far);
    };
    dial(way).then(tunnel, (error: unknown) =>
      answer(near, '502 Bad Gateway', `Pilothouse: ${messageOf(error)}\n`),
    );
  });
  return server;
}

/** Leads two connections into each other; one that breaks takes the other with it. */
export function join(near: Duplex, far: Duplex): void {
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
  near.pipe(far);
  far.pipe(near);
}

function hostOf({ url = '', headers }: IncomingMessage): string {
  const asked = URL.parse(url) ?? URL.parse(`http://${headers.host ?? ''}`);
  return asked ? `${asked.hostname}:${asked.port || 80}` : 'unknown';
}

function answer(socket: Duplex, status: string, text: string): void {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n`;
  socket.end(head + text);
}
