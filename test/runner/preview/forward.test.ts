import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideHost, Forward, headersAlong } from '../../../runner/preview/forward.ts';

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
