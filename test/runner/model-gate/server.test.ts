import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { says, type Script } from '../../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../../support/model-api/server.ts';
import { until } from '../../support/until.ts';
import { asks, openGateRoom, REAL_KEY } from './gate-room.ts';

const SCRIPT: Script = {
  hello: [says('one two three')],
  slowly: [{ kind: 'message', content: [{ type: 'text', text: 'a b c d e f' }], pieceMs: 60 }],
  'for ever': [{ kind: 'hang' }],
  refuse: [
    {
      kind: 'error',
      status: 429,
      type: 'rate_limit_error',
      message: 'too fast',
      headers: { 'retry-after': '17' },
    },
  ],
};

let room: Awaited<ReturnType<typeof openGateRoom>>;
let api: ModelApi;
beforeEach(async () => {
  [room, api] = await Promise.all([openGateRoom(), startModelApi(SCRIPT)]);
});
afterEach(async () => {
  await Promise.all([room.close(), api.close()]);
});

describe('a call through the gate', () => {
  it('reaches the provider with the real key and comes back as the provider said it', async () => {
    await room.put('ses_a', api.url);
    const through = await room.ask('ses_a', asks('hello'));
    const direct = await fetch(`${api.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(asks('hello')),
    });
    expect([through.status, through.headers.get('request-id')]).toEqual([200, 'req_test']);
    const [one, other] = (await Promise.all([through.json(), direct.json()])) as { id: string }[];
    expect({ ...one, id: '' }).toEqual({ ...other, id: '' });
    expect(api.seen[0]).toMatchObject({ apiKey: REAL_KEY, path: '/v1/messages' });
    expect(api.seen[0]?.request).toEqual(asks('hello'));
    expect(room.calls('ses_a')).toEqual([
      {
        at: 5,
        model: 'claude-sonnet-4-5',
        refused: null,
        inputTokens: 100,
        outputTokens: 50,
        cacheReadTokens: 300,
        cacheWriteTokens: 20,
        microUsd: 1_215,
        told: true,
      },
    ]);
  });

  it('streams: the first words are there long before the last', async () => {
    await room.put('ses_a', api.url);
    const response = await room.ask('ses_a', asks('slowly', { stream: true }));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('message_start');
    expect(api.served[0]?.complete).toBe(false);
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += new TextDecoder().decode(part.value);
    expect(text).toContain('message_stop');
    // Written down before whoever asked had the end.
    expect(room.calls('ses_a')).toMatchObject([{ outputTokens: 50, told: true }]);
  });

  it('hands a provider’s refusal on unchanged, with its headers, and counts nothing', async () => {
    await room.put('ses_a', api.url);
    const response = await room.ask('ses_a', asks('refuse'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '17']);
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'too fast' },
    });
    expect(room.calls('ses_a')).toEqual([]);
  });

  it('leaves the provider when whoever asked has left, and counts what it may have cost', async () => {
    await room.put('ses_a', api.url);
    const controller = new AbortController();
    const { signal } = controller;
    const response = await room.ask('ses_a', asks('slowly', { stream: true }), { signal });
    await response.body?.getReader().read();
    controller.abort();
    const [call] = await until('it to be written down', () => {
      const calls = room.calls('ses_a');
      return calls.length > 0 ? calls : null;
    });
    expect(call).toMatchObject({ inputTokens: 100, told: false });
    expect(room.gate.busy).toBe(false);
    const hanging = new AbortController();
    const asked = room.ask('ses_a', asks('for ever'), { signal: hanging.signal });
    await until('the call to be under way', () => room.gate.busy);
    hanging.abort();
    await expect(asked).rejects.toThrow();
    await until('nothing to be held any more', () => !room.gate.busy);
    // It was asked whole, and may answer to nobody: at least what it read is charged for.
    const [, unheard] = room.calls('ses_a');
    expect(unheard).toMatchObject({ told: false, outputTokens: 0 });
    expect(unheard?.microUsd).toBeGreaterThan(0);
  });

  it('reads a packed request, and passes it on unpacked', async () => {
    await room.put('ses_a', api.url);
    const response = await room.ask('ses_a', null, {
      body: gzipSync(JSON.stringify(asks('hello'))),
      headers: { 'x-api-key': room.placeholder('ses_a'), 'content-encoding': 'gzip' },
    });
    expect(response.status).toBe(200);
    expect(api.seen[0]?.request).toEqual(asks('hello'));
  });

  it('passes on what is known to cost nothing, beside every budget', async () => {
    await room.put('ses_a', api.url, { grantMicroUsd: 0 });
    const path = '/v1/messages/count_tokens';
    const counted = await room.ask('ses_a', asks('hello'), { path });
    expect(await counted.json()).toEqual({ input_tokens: 42 });
    expect(room.calls('ses_a')).toEqual([]);
  });

  it('says that the provider is not there, as something to try again', async () => {
    await room.put('ses_a', 'http://127.0.0.1:9');
    const response = await room.ask('ses_a', asks('hello'));
    expect(response.status).toBe(502);
    expect(JSON.stringify(await response.json())).toMatch(/the provider could not be reached/);
    expect(room.gate.busy).toBe(false);
  });
});

describe('whoever calls', () => {
  it('needs the placeholder of that very session', async () => {
    await room.put('ses_a', api.url);
    await room.put('ses_b', api.url);
    for (const key of ['', REAL_KEY, room.placeholder('ses_b'), `${room.placeholder('ses_a')}x`]) {
      const response = await room.ask('ses_a', asks('hello'), { key });
      expect(response.status).toBe(401);
      expect(JSON.stringify(await response.json())).toContain('authentication_error');
    }
    const unknown = await room.ask('ses_c', asks('hello'));
    expect(unknown.status).toBe(401);
    expect(api.seen).toEqual([]);
  });

  it('may prove itself as each provider’s programs do', async () => {
    await room.put('ses_a', api.url);
    const key = room.placeholder('ses_a');
    const body = JSON.stringify(asks('hello'));
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-goog-api-key': key }])
      expect((await room.ask('ses_a', null, { headers, body })).status).toBe(200);
    const path = `/v1/messages?beta=true&key=${key}`;
    expect((await room.ask('ses_a', null, { headers: {}, body, path })).status).toBe(200);
  });

  it('cannot speak for the runner, nor name a file', async () => {
    expect((await room.control('', 'DELETE', undefined, 'guess')).status).toBe(401);
    expect(room.ended()).toBe(0);
    const body = { protocol: 'anthropic', upstream: api.url, headers: {}, grantMicroUsd: null };
    expect((await room.control('..%2fx', 'PUT', body)).status).toBe(400);
    expect((await room.control('ses_a', 'PUT', { ...body, grantMicroUsd: -1 })).status).toBe(400);
    expect((await room.control('ses_a', 'DELETE')).status).toBe(204);
    expect((await room.control('', 'DELETE')).status).toBe(204);
    expect(room.ended()).toBe(1);
  });
});

describe('a call that is not begun', () => {
  it('is refused in the provider’s own form when the budget does not cover it', async () => {
    await room.put('ses_a', api.url, { grantMicroUsd: 1 });
    const response = await room.ask('ses_a', asks('hello'));
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { message: expect.stringMatching(/does not cover this call.*Do not try again/) },
    });
    expect(room.calls('ses_a')).toMatchObject([{ refused: 'too_large', microUsd: 0 }]);
    expect(api.seen).toEqual([]);
  });

  it('is refused where nobody knows what it costs', async () => {
    await room.put('ses_a', api.url);
    const response = await room.ask('ses_a', {}, { path: '/v1/messages/batches' });
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain('POST /v1/messages/batches');
    expect(room.calls('ses_a')).toMatchObject([{ refused: 'unknown_endpoint' }]);
    const garbled = await room.ask('ses_a', null, { body: 'not json' });
    expect(garbled.status).toBe(400);
    expect(api.seen).toEqual([]);
  });

  it('is given the answer that can be paid, where a shorter one can', async () => {
    await room.put('ses_a', api.url, { grantMicroUsd: 40_000 });
    await room.ask('ses_a', asks('hello', { max_tokens: 64_000 }));
    const limit = api.seen[0]?.request?.max_tokens ?? 0;
    expect(limit).toBeGreaterThan(2_000);
    expect(limit * 15).toBeLessThan(40_000);
  });
});

it('goes by the proxy that the machine is configured to use, and by the base of one’s own', async () => {
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const proxy = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    response.end('{}');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const proxied = await openGateRoom({ HTTP_PROXY: `http://127.0.0.1:${port}` });
  const own = { 'x-api-key': REAL_KEY, 'x-team': 'harbour' };
  await proxied.put('ses_a', 'http://models.example/base/', { headers: own });
  await proxied.ask('ses_a', asks('hello'), { path: '/v1/messages?beta=true' });
  expect(asked[0]?.url).toBe('http://models.example/base/v1/messages?beta=true');
  expect(asked[0]?.headers).toMatchObject(own);
  await proxied.close();
  await new Promise((resolve) => proxy.close(resolve));
});
