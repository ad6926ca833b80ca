import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TerminalFrame } from '../../protocol/terminal-frames.ts';
import { consoleFrame, type FeedFrame } from '../../protocol/console-frames.ts';
import { PING, PONG } from '../../protocol/runner-frames.ts';
import { REFUSALS } from '../../protocol/version.ts';
import { answer } from './answer.ts';
import type { MockWorld } from './world.ts';

export type MockServer = {
  url: string;
  dropSockets: () => void;
  signOut: () => void;
  sockets: () => number;
  close: () => Promise<void>;
};

/** Serves one file of a build at an address; false where it has none. */
type ServeFile = (path: string, response: ServerResponse) => boolean;

/**
 * A stand-in for the Worker on a real port of loopback: the console's own client and socket talk
 * to it, over real HTTP and a real WebSocket. It keeps nothing and guards nothing.
 */
export async function startMockServer(
  world: MockWorld,
  port = 0,
  serveFile: ServeFile = () => false,
): Promise<MockServer> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const address = new URL(request.url ?? '/', 'http://mock');
      if (!address.pathname.startsWith('/v1/') && serveFile(address.pathname, response))
        return undefined;
      const { status, body: answered } = answer(world, request.method ?? 'GET', address, body);
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'req-sentinel',
      });
      response.end(JSON.stringify(answered));
      return undefined;
    });
  });
  const sockets = new WebSocketServer({ server });
  let opened = 0;
  sockets.on('connection', (socket, request) => {
    opened++;
    const id = /^\/v1\/sessions\/(\w+)\/socket$/.exec(request.url ?? '')?.[1];
    if (request.url?.includes('/panes/') && world.signedIn) {
      showPane(socket, world.paneScreen);
      return;
    }
    const record = world.records.get(id ?? '');
    if (!record || !world.signedIn) {
      // As a browser sees a handshake that was refused: closed, without a reason.
      socket.terminate();
      return;
    }
    const show = (frame: FeedFrame) => socket.send(JSON.stringify(frame));
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      if (text === PING) {
        socket.send(PONG);
        return;
      }
      const { after } = consoleFrame.parse(JSON.parse(text));
      for (const frame of record.open(after)) show(frame);
      record.viewers.add(show);
    });
    socket.on('close', () => record.viewers.delete(show));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropSockets: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
    /** How many sockets were ever opened. */
    sockets: () => opened,
    signOut: () => {
      world.signedIn = false;
      for (const socket of sockets.clients) socket.close(REFUSALS.unauthorized.closeCode);
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What somebody who watches one of the person's terminals is sent: one screen that stays. */
function showPane(socket: WebSocket, data: string): void {
  const send = (frame: TerminalFrame) => socket.send(JSON.stringify(frame));
  socket.on('message', () => {
    send({ type: 'attached', driving: false, connected: true });
    send({ type: 'screen', columns: 80, rows: 24, data });
  });
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // Bytes of an image are no words of anybody.
  if (request.headers['content-type'] === 'application/octet-stream') return null;
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : JSON.parse(text);
}
