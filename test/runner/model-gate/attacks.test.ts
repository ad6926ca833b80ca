import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { says } from '../../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../../support/model-api/server.ts';
import { asks, openGateRoom } from './gate-room.ts';

let room: Awaited<ReturnType<typeof openGateRoom>>;
let api: ModelApi;
beforeEach(async () => {
  [room, api] = await Promise.all([openGateRoom(), startModelApi({ hello: [says('one')] })]);
  await room.put('ses_a', api.url);
});
afterEach(async () => {
  await Promise.all([room.close(), api.close()]);
});

/** What the gate answers to these very bytes, until it closes. */
const send = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(room.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => (text += part));
    // A server that has refused closes while there is still something to read for it.
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });

const LAST = 'Connection: close\r\n';
const statusesOf = (text: string): string[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status);

describe('bytes that no engine sends', () => {
  it.each(['//', 'http://[', 'http://a:99999999/s/ses_a', '*', '/s/%00', '/control/%'])(
    'are answered, and the gate goes on, where the address is %s',
    async (address) => {
      expect(statusesOf(await send(`GET ${address} HTTP/1.1\r\nHost: x\r\n${LAST}\r\n`))).toEqual([
        '401',
      ]);
      expect((await room.ask('ses_a', asks('hello'))).status).toBe(200);
    },
  );

  it('reach no session by a path that climbs', async () => {
    const head = `Host: x\r\n${LAST}x-api-key: ${room.placeholder('ses_b')}\r\n`;
    await send(`GET /s/ses_b/../ses_a/v1/models HTTP/1.1\r\n${head}\r\n`);
    await send(`GET /s/ses_b/%2e%2e/ses_a/v1/models HTTP/1.1\r\n${head}\r\n`);
    expect(api.seen).toEqual([]);
  });

  it('smuggle no second request past the first: two lengths, a length that is no number', async () => {
    const head = `POST /s/ses_a/v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: ${room.placeholder('ses_a')}\r\n`;
    const within = `GET /s/ses_a/v1/models HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (const lengths of [
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      'Content-Length: 4\r\nContent-Length: 5\r\n',
      'Content-Length: 4x\r\n',
      'Transfer-Encoding: chunked, identity\r\n',
    ])
      expect(statusesOf(await send(`${head}${lengths}\r\n0\r\n\r\n${within}`))).toEqual(['400']);
    expect(api.seen).toEqual([]);
  });

  it('are refused for a head that is too large, and pipelined requests are proved one by one', async () => {
    const large = `GET / HTTP/1.1\r\nHost: x\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`;
    expect(statusesOf(await send(large))).toEqual(['431']);
    const look = (key: string, last = '') =>
      `GET /s/ses_a/v1/models HTTP/1.1\r\nHost: x\r\n${last}x-api-key: ${key}\r\n\r\n`;
    const two = await send(look(room.placeholder('ses_a')) + look('guess', LAST));
    expect(statusesOf(two)).toEqual(['404', '401']);
  });
});

describe('a body that is packed', () => {
  const packed = (body: Buffer, encoding: string) =>
    room.ask('ses_a', null, {
      body: new Uint8Array(body),
      headers: { 'x-api-key': room.placeholder('ses_a'), 'content-encoding': encoding },
    });

  it('is not unpacked beyond what a request may be', async () => {
    const bomb = gzipSync(Buffer.alloc(129 * 1024 * 1024));
    const response = await packed(bomb, 'gzip');
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('too large');
  });

  it('is refused where nobody knows how, whatever the way is called', async () => {
    const body = Buffer.from(JSON.stringify(asks('hello')));
    for (const encoding of ['constructor', 'toString', 'lzma', 'gzip, gzip'])
      expect((await packed(body, encoding)).status).toBe(415);
    expect((await packed(body, 'gzip')).status).toBe(400);
    expect(api.seen).toEqual([]);
  });
});

describe('an upstream that is not well', () => {
  it('ends its call when it says what is no HTTP, or breaks off', async () => {
    const bad = createServer((request, response) => {
      request.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
      response.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
    await room.put('ses_a', `http://127.0.0.1:${(bad.address() as AddressInfo).port}`);
    const told = await room
      .ask('ses_a', asks('hello'))
      .then((response) => response.text())
      .catch(() => 'broke off');
    expect(told).toMatch(/broke off|could not be reached/);
    expect(room.gate.busy).toBe(false);
    bad.closeAllConnections();
    await new Promise((resolve) => bad.close(resolve));
  });
});
