import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as listenRaw, type Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  decideHost,
  decideStatus,
  Forward,
  headersAlong,
} from '../../../runner/preview/forward.ts';

describe('a request to a preview', () => {
  it('is for it under its whole name alone', () => {
    expect(decideHost('abc.localhost:4000', 'abc.localhost', 4000)).toBe(true);
    expect(decideHost('ABC.localhost:4000', 'abc.localhost', 4000)).toBe(true);
    for (const host of [
      '127.0.0.1:4000',
      'localhost:4000',
      'abc.localhost',
      'x.abc.localhost:4000',
    ])
      expect(decideHost(host, 'abc.localhost', 4000)).toBe(false);
    expect(decideHost(undefined, 'abc.localhost', 4000)).toBe(false);
  });

  it('leaves the headers of its connection behind', () => {
    const headers = {
      connection: 'keep-alive, x-own',
      'x-own': '1',
      te: 'trailers',
      accept: '*/*',
    };
    expect(headersAlong(headers)).toEqual({ accept: '*/*' });
  });
});

describe('a preview', () => {
  let server: Server;
  let forward: Forward;
  let there: boolean;
  let seen: IncomingMessage[];
  beforeEach(async () => {
    seen = [];
    there = true;
    server = createServer((incoming, response) => {
      seen.push(incoming);
      response.setHeader('content-security-policy', "default-src 'self'");
      incoming.pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    forward = await Forward.listen({
      used: () => undefined,
      dial: async () => {
        if (!there) throw new Error('gone');
        const socket = connect({ port: (server.address() as AddressInfo).port });
        await once(socket, 'connect');
        return socket;
      },
    });
  });
  afterEach(() => {
    forward.close();
    server.closeAllConnections();
    server.close();
  });

  const ask = async (path: string, host = new URL(forward.url).host) => {
    const { port } = new URL(forward.url);
    const call = get({ host: '127.0.0.1', port, path, headers: { host } });
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };

  it('passes a request on as it is, and lets nobody else frame the answer', async () => {
    const answer = await ask('/a%20b?c=%2F');
    expect(answer.statusCode).toBe(200);
    expect(seen[0]?.url).toBe('/a%20b?c=%2F');
    expect(seen[0]?.headers.host).toBe(new URL(forward.url).host);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'self', frame-ancestors 'self'",
    );
  });

  it('answers nothing under another name, and says where its server is gone', async () => {
    expect((await ask('/', '127.0.0.1')).statusCode).toBe(421);
    expect(seen).toEqual([]);
    there = false;
    expect((await ask('/')).statusCode).toBe(502);
  });
});

describe('a server of a session that says what is no answer', () => {
  let said: string;
  let calls: Socket[];
  let forward: Forward;
  const server = listenRaw((socket) => {
    calls.push(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => void (said && socket.write(said, 'latin1')));
  });
  beforeEach(async () => {
    calls = [];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const dial = async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      await once(socket, 'connect');
      return socket;
    };
    forward = await Forward.listen({ dial, used: () => undefined });
  });
  afterEach(() => {
    forward.close();
    for (const socket of calls) socket.destroy();
    server.close();
  });

  /** What a browser gets; of a WebSocket where it asks for one. */
  const browse = (more = '') => {
    const { host, port } = new URL(forward.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.setEncoding('latin1');
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n${more}\r\n`);
    return socket;
  };
  const socketly = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const agreed =
    'HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: websocket\r\nx-own: \u00e9\r\n\r\n';

  it.each([
    ['with a status that is none', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'],
    ['with one too high', 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n'],
    ['that begins another protocol', agreed],
  ])('%s is answered for as a fault of the server’s', async (_how, words) => {
    said = words;
    const [answer] = (await once(browse(), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 502 /);
  });

  it('takes a browser’s WebSocket with it where it is one, and no more', async () => {
    said = 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n';
    const near = browse(socketly);
    const got = text(near);
    near.once('end', () => near.destroy());
    expect(await got).toBe('');
  });

  it('is let go when the browser that waits for its WebSocket leaves', async () => {
    said = '';
    const near = browse(socketly);
    const [far] = (await once(server, 'connection')) as [Socket];
    far.resume();
    await once(far, 'data');
    near.end();
    expect(await once(far, 'close')).toEqual([false]);
    near.destroy();
  });

  it('is left where the browser does not wait for it, and the next is answered', async () => {
    said = '';
    const near = browse();
    const [far] = (await once(server, 'connection')) as [Socket];
    near.destroy();
    await once(far, 'close');
    said = 'HTTP/1.1 204 X\r\n\r\n';
    const [answer] = (await once(browse(), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('gives the headers of what is agreed on byte for byte', async () => {
    said = agreed;
    const near = browse(socketly);
    const [answer] = (await once(near, 'data')) as [string];
    expect(answer).toContain('x-own: \u00e9\r\n');
    near.destroy();
  });
});

describe('the status of an answer', () => {
  it('is the server’s where it is one', () => {
    expect([200, 304, 599].map(decideStatus)).toEqual([200, 304, 599]);
    expect([undefined, 0, 99, 101, 199, 600].map(decideStatus)).toEqual(Array(6).fill(502));
  });
});
