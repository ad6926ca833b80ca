import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERRORS } from '../../../protocol/errors.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { EXIT } from '../../../runner/failure.ts';
import { createHostApi } from '../../../runner/host/host-api.ts';

type Asked = { route: string; headers: IncomingHttpHeaders; body: string };

/** The Worker's place is taken by a real server that answers everything alike. */
async function aWorker(status: number, body: unknown) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const received = await text(request);
      const route = `${request.method} ${request.url}`;
      asked.push({ route, headers: request.headers, body: received });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    void answer();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api: createHostApi(url, 'secret-of-this-start'), asked };
}

describe('the host’s calls to its own Worker', () => {
  it('bring the secret of this start as a bearer', async () => {
    const { api, asked } = await aWorker(201, { path: '/sign-in#x', expiresAt: 1 });
    expect(await api.createLink()).toBe('/sign-in#x');
    expect(asked[0]?.route).toBe('POST /v1/links');
    expect(asked[0]?.headers.authorization).toBe('Bearer secret-of-this-start');
  });

  it('ask for a token of the command line by a name', async () => {
    const { api, asked } = await aWorker(201, { token: 'new' });
    expect(await api.createCliToken('command line on desk')).toBe('new');
    expect(asked[0]).toMatchObject({
      route: 'POST /v1/cli-tokens',
      body: '{"name":"command line on desk"}',
    });
  });

  it('register a machine that was never registered without an id', async () => {
    const { api, asked } = await aWorker(201, { runnerId: 'run_1', token: 't' });
    expect(await api.registerRunner(null, 'desk')).toEqual({ runnerId: 'run_1', token: 't' });
    expect(asked[0]?.body).toBe('{"name":"desk"}');
  });

  it('register a known machine under the id that it has', async () => {
    const { api, asked } = await aWorker(201, { runnerId: 'run_1', token: 't' });
    await api.registerRunner(runnerId.parse('run_1'), 'desk');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ runnerId: 'run_1', name: 'desk' });
  });

  it.each([
    [200, true],
    [401, false],
    [403, false],
  ])('take the answer %i for whether an earlier token works', async (status, valid) => {
    const { api, asked } = await aWorker(status, {});
    expect(await api.isTokenValid('earlier')).toBe(valid);
    expect(asked[0]?.route).toBe('GET /v1/me');
    expect(asked[0]?.headers.authorization).toBe('Bearer earlier');
  });
});

describe('a Worker in trouble', () => {
  it.each([429, 500, 502])(
    'that answers %i says nothing of a token: it is kept',
    async (status) => {
      const { api } = await aWorker(status, '<html>');
      await expect(api.isTokenValid('earlier')).rejects.toMatchObject({ code: 'worker_refused' });
    },
  );

  it.each(['<html>', '', '{"path":7}'])('that answers 201 with %j is typed', async (body) => {
    const { api } = await aWorker(201, body);
    await expect(api.createLink()).rejects.toMatchObject({
      exitCode: EXIT.failed,
      code: 'unexpected_answer',
    });
  });

  it('that accepts and says nothing is given up', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void (server.closeAllConnections(), server.close()));
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(createHostApi(url, 'x', 50).createLink()).rejects.toMatchObject({
      exitCode: EXIT.unreachable,
      code: 'worker_silent',
    });
  });
});

describe('a Worker that refuses its host', () => {
  it('is told in its own sentence, with the route and the status', async () => {
    const { code, message } = { code: 'forbidden', message: ERRORS.forbidden.sentence };
    const error = { code, message, retryable: false, context: {}, requestId: 'r' };
    const { api } = await aWorker(403, { error });
    await expect(api.createLink()).rejects.toMatchObject({
      exitCode: EXIT.failed,
      code: 'worker_refused',
      message: `The Worker refused /v1/links (403): ${message}`,
    });
  });

  it.each(['<html>oops</html>', '{"unexpected":true}'])(
    'is told by what it said when that is no error of ours: %j',
    async (body) => {
      const { api } = await aWorker(500, body);
      await expect(api.createLink()).rejects.toThrow(`The Worker refused /v1/links (500): ${body}`);
    },
  );

  it('is told in at most three hundred characters', async () => {
    const { api } = await aWorker(500, 'x'.repeat(10_000));
    await expect(api.createLink()).rejects.toThrow(/\(500\): x{300}$/);
  });

  it.each([{}, { path: 'https://elsewhere/#x', expiresAt: 1 }, { path: '/sign-in#x' }])(
    'is not believed when its link is %j',
    async (body) => {
      const { api } = await aWorker(201, body);
      await expect(api.createLink()).rejects.toMatchObject({ code: 'unexpected_answer' });
    },
  );

  it('is not believed when it gives an empty token or an id of another kind', async () => {
    const empty = await aWorker(201, { token: '' });
    await expect(empty.api.createCliToken('x')).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
    const other = await aWorker(201, { runnerId: 'ses_1', token: 't' });
    await expect(other.api.registerRunner(null, 'x')).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
  });
});
