import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApi, refusal } from '../../../runner/cli/api.ts';
import { EXIT, type Failure } from '../../../runner/failure.ts';

type Asked = {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  body: string;
};

/** The Worker's place is taken by a real server that answers as it is told. */
async function aServer(status: number, body: unknown) {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await text(request);
    const { method, url, headers } = request;
    asked.push({ method, url, authorization: headers.authorization, body: received });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
const errorOf = (code: string) => ({
  error: { code, message: `About ${code}.`, retryable: false, context: {}, requestId: 'r' },
});
const failureOf = (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as Failure,
  );

describe('the API as the command line uses it', () => {
  it('brings the token in a header and nothing in the address', async () => {
    const { url, asked } = await aServer(200, { items: [], nextCursor: null });
    await createApi(url, 'secret').listSessions({ limit: 5, cursor: undefined });
    expect(asked).toEqual([
      { method: 'GET', url: '/v1/sessions?limit=5', authorization: 'Bearer secret', body: '' },
    ]);
  });

  it('sends what it is given as JSON', async () => {
    const { url, asked } = await aServer(200, { turnId: 'trn_1' });
    expect(await createApi(url, 't').instruct('ses_1', 'Go on')).toEqual({ turnId: 'trn_1' });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/v1/sessions/ses_1/instructions',
      body: '{"text":"Go on"}',
    });
  });

  it('cannot be led to another route by an id', async () => {
    const { url, asked } = await aServer(200, { accepted: true });
    await createApi(url, 't').act('../me?', 'stop');
    expect(asked[0]?.url).toBe('/v1/sessions/..%2Fme%3F/stop');
  });
});

describe('an exit code', () => {
  it.each([
    [401, 'unauthenticated', EXIT.refused],
    [404, 'session_not_found', EXIT.refused],
    [409, 'session_ended', EXIT.refused],
    [422, 'directory_not_allowed', EXIT.refused],
    [503, 'runner_offline', EXIT.unreachable],
    [504, 'runner_timeout', EXIT.unreachable],
    [500, 'internal', EXIT.failed],
  ])('for %i %s is %i, with the server’s own sentence', async (status, code, exitCode) => {
    const { url } = await aServer(status, errorOf(code));
    const failure = await failureOf(createApi(url, 't').readMe());
    expect({ code: failure.code, exitCode: failure.exitCode, message: failure.message }).toEqual({
      code,
      exitCode,
      message: `About ${code}.`,
    });
  });

  it('is 3 where nothing answers', async () => {
    const failure = await failureOf(createApi('http://127.0.0.1:1', 't').readMe());
    expect(failure.exitCode).toBe(EXIT.unreachable);
    expect(failure.message).toMatch(
      /^Nothing answers at http:\/\/127\.0\.0\.1:1\. Start Pilothouse/,
    );
  });

  it.each(['<html>', '', '{}', '{"error":"x"}'])('is 1 for a refusal that says %j', (body) => {
    expect(refusal(502, body)).toMatchObject({ exitCode: EXIT.failed, code: 'unexpected_answer' });
  });

  it.each(['nonsense', '{}', '{"items":[{}],"nextCursor":null}'])(
    'is 1 for an answer that is %j',
    async (body) => {
      const { url } = await aServer(200, body);
      const failure = await failureOf(createApi(url, 't').listSessions({}));
      expect(failure).toMatchObject({ exitCode: EXIT.failed, code: 'unexpected_answer' });
    },
  );
});

describe('a server in trouble', () => {
  /** A server that answers with the beginning of a frame of HTTP, and goes on as it is told. */
  async function aTroubledServer(begin: string, then: 'stays' | 'breaks') {
    const server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.write(begin);
        if (then === 'breaks') setImmediate(() => socket.destroy());
      });
      onTestFinished(() => void socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const HALF =
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"it';

  it.each([
    ['says nothing', '', 'stays', /did not answer in time/],
    ['stops in its answer', HALF, 'stays', /did not answer in time/],
    ['breaks off in its answer', HALF, 'breaks', /broke off in its answer/],
  ] as const)(
    'that %s is given up, and what was asked may be done',
    async (_, begin, then, why) => {
      const url = await aTroubledServer(begin, then);
      const failure = await failureOf(createApi(url, 't', 200).instruct('ses_1', 'Go on'));
      expect(failure).toMatchObject({ exitCode: EXIT.unreachable, code: 'unanswered' });
      expect(failure.message).toMatch(why);
      expect(failure.message).toContain('look before you ask again');
    },
  );

  it.each([429, 500, 502])('that answers %i with a page is asked once', async (status) => {
    const { url, asked } = await aServer(status, '<html>');
    const failure = await failureOf(createApi(url, 't').instruct('ses_1', 'Go on'));
    expect(failure).toMatchObject({ exitCode: EXIT.failed, code: 'unexpected_answer' });
    // An instruction that is sent again would be two.
    expect(asked).toHaveLength(1);
  });
});
