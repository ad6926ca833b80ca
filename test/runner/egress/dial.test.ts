import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { dial } from '../../../runner/egress/dial.ts';

const servers: (Server | HttpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server | HttpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const aHost = () => portOf(createServer((socket) => void socket.end('THE-HOST')));

/** A proxy of the machine's, which asks for a login and knows one name. */
async function aProxy(host: number, asked: string[]): Promise<number> {
  const proxy = createHttp();
  proxy.on('connect', ({ url = '', headers }, near: Socket) => {
    asked.push(url);
    const login = Buffer.from('ada:p@ss').toString('base64');
    if (headers['proxy-authorization'] !== `Basic ${login}`) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const far = connect(host, '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    near.on('error', () => far.destroy());
    far.pipe(near).pipe(far);
  });
  return portOf(proxy);
}

async function hear(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('the way to a host', () => {
  it('is straight where the machine has no proxy', async () => {
    const port = await aHost();
    expect(await hear(await dial({ host: '127.0.0.1', port }, {}))).toBe('THE-HOST');
  });

  it('is through the proxy that the machine has, with its login', async () => {
    const asked: string[] = [];
    const proxy = await aProxy(await aHost(), asked);
    const env = { HTTPS_PROXY: `http://ada:p%40ss@127.0.0.1:${proxy}` };
    const target = { host: 'api.example.com', port: 443 };
    expect(await hear(await dial(target, env))).toBe('THE-HOST');
    expect(asked).toEqual(['api.example.com:443']);
  });

  it('is told as it is where the proxy refuses, or nobody is there', async () => {
    const proxy = await aProxy(await aHost(), []);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy}` };
    const target = { host: 'api.example.com', port: 443 };
    await expect(dial(target, env)).rejects.toThrow('the proxy of this machine answered 407');
    await expect(dial({ host: '127.0.0.1', port: 1 }, {})).rejects.toThrow('ECONNREFUSED');
  });
});
