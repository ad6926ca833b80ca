import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { FeedFrame } from '../../../protocol/console-frames.ts';
import { delayOf, followSession, skipSeen } from '../../../runner/cli/follow.ts';
import { EXIT } from '../../../runner/failure.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { entriesOf, SESSION } from '../../support/protocol-builders.ts';

const RECORD = entriesOf(
  Array.from({ length: 6 }, (_, index) => ({
    type: 'notice/raised' as const,
    level: 'info' as const,
    code: 'test',
    message: `entry ${index + 1}`,
  })),
);

/** The feed's place is taken by a real socket server; `serve` is told what was subscribed. */
async function aFeed(serve: (socket: WebSocket, after: number, connection: number) => void) {
  const headers: (string | undefined)[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  let connections = 0;
  server.on('connection', (socket, request) => {
    headers.push(request.headers.authorization);
    const connection = ++connections;
    socket.on('message', (data: Buffer) => {
      serve(socket, (JSON.parse(data.toString()) as { after: number }).after, connection);
    });
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers };
}
const send = (socket: WebSocket, entries: typeof RECORD) =>
  socket.send(JSON.stringify({ type: 'entries', entries }));

/** Follows until `count` entries have come; answers their positions and the drops. */
async function follow(url: string, count: number, after = 0) {
  const stop = new AbortController();
  const positions: number[] = [];
  let drops = 0;
  await followSession({
    url,
    token: 'secret',
    sessionId: SESSION,
    after,
    signal: stop.signal,
    onFrame(frame) {
      if (frame.type === 'entries')
        positions.push(...frame.entries.map(({ position }) => position));
      if (positions.length >= count) stop.abort();
    },
    onDrop: () => drops++,
  });
  return { positions, drops };
}

describe('following a session', () => {
  it('signs in by header and takes the record from the beginning', async () => {
    const feed = await aFeed((socket, after) => send(socket, RECORD.slice(after)));
    expect(await follow(feed.url, 6)).toEqual({ positions: [1, 2, 3, 4, 5, 6], drops: 0 });
    expect(feed.headers).toEqual(['Bearer secret']);
  });

  it('begins after a position', async () => {
    const feed = await aFeed((socket, after) => send(socket, RECORD.slice(after)));
    expect((await follow(feed.url, 2, 4)).positions).toEqual([5, 6]);
  });

  it('connects again after a drop and goes on where it was', async () => {
    const feed = await aFeed((socket, after, connection) => {
      send(socket, RECORD.slice(after, connection === 3 ? 6 : after + 2));
      if (connection < 3) socket.terminate();
    });
    expect(await follow(feed.url, 6)).toEqual({ positions: [1, 2, 3, 4, 5, 6], drops: 2 });
  });

  it('shows nothing twice when the replay overlaps', async () => {
    const feed = await aFeed((socket, after, connection) => {
      send(socket, RECORD.slice(Math.max(0, after - 2), 4));
      if (connection === 1) return socket.terminate();
      send(socket, RECORD.slice(1));
    });
    expect((await follow(feed.url, 6)).positions).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('ends with the refusal of the server, and does not try again', async () => {
    let asked = 0;
    const server = createServer().listen(0, '127.0.0.1');
    server.on('upgrade', (_request, socket) => {
      asked++;
      const error = {
        code: 'session_not_found',
        message: 'None.',
        retryable: false,
        context: {},
        requestId: 'r',
      };
      const body = JSON.stringify({ error });
      socket.end(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(follow(url, 1)).rejects.toMatchObject({
      code: 'session_not_found',
      exitCode: EXIT.refused,
    });
    expect(asked).toBe(1);
  });

  it('ends when the server ends the credential, and says so', async () => {
    let connections = 0;
    const feed = await aFeed((socket, after, connection) => {
      connections = connection;
      send(socket, RECORD.slice(after, 2));
      socket.close(REFUSALS.unauthorized.closeCode, 'unauthorized');
    });
    await expect(follow(feed.url, 6)).rejects.toMatchObject({
      code: 'unauthenticated',
      exitCode: EXIT.refused,
    });
    expect(connections).toBe(1);
  });

  it('says at once that nothing answers', async () => {
    await expect(follow('http://127.0.0.1:1', 1)).rejects.toMatchObject({
      exitCode: EXIT.unreachable,
    });
  });

  it('ends at a malformed frame instead of guessing', async () => {
    const feed = await aFeed((socket) => socket.send('{"type":"entries","entries":[{}]}'));
    await expect(follow(feed.url, 1)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('passes over a frame of a newer server', async () => {
    const feed = await aFeed((socket, after) => {
      socket.send('{"type":"weather","rain":true}');
      send(socket, RECORD.slice(after));
    });
    expect((await follow(feed.url, 6)).positions).toHaveLength(6);
  });
});

describe('the cursor', () => {
  it('lets each position through once, whatever overlaps', () => {
    const batches = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 20 });
    fc.assert(
      fc.property(batches, (ranges) => {
        let cursor = 0;
        const shown: number[] = [];
        for (const [from, to] of ranges) {
          const entries = RECORD.slice(Math.min(from, cursor), Math.max(to, cursor));
          if (entries.length === 0) continue;
          const frame: FeedFrame | null = skipSeen({ type: 'entries', entries }, cursor);
          if (frame?.type !== 'entries') continue;
          shown.push(...frame.entries.map(({ position }) => position));
          cursor = shown.at(-1) ?? cursor;
        }
        expect(shown).toEqual(Array.from({ length: cursor }, (_, index) => index + 1));
      }),
    );
  });

  it('waits longer after each failure, up to five seconds', () => {
    expect(delayOf(0, 1)).toBe(200);
    expect(delayOf(1, 0)).toBe(200);
    expect(delayOf(30, 1)).toBe(5_000);
  });
});
