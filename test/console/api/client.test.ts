// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '../../../protocol/errors.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { read, send } from '../../../console/api/client.ts';
import { isSignedOut, RequestFailure, tellError } from '../../../console/errors.ts';
import { errorAnswer } from '../../../console/mock/world.ts';

const shape = z.object({ ok: z.boolean() });

const answerWith = (answer: () => Response | Promise<Response>) => {
  const fetched = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>(async () =>
    answer(),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

const failureOf = async (promise: Promise<unknown>): Promise<RequestFailure> => {
  const failure: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof RequestFailure)) throw new Error('it did not fail as it should');
  return failure;
};

afterEach(() => vi.unstubAllGlobals());

describe('a request', () => {
  it('is given longer than the server itself waits for a machine', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    answerWith(() => Response.json({ ok: true }));
    await read(shape, '/v1/x');
    await send(shape, '/v1/x');
    await send(shape, '/v1/x', {}, { machineMs: 100_000 });
    const [reading, sending, long] = timeout.mock.calls.map(([ms]) => ms);
    timeout.mockRestore();
    expect(reading).toBeGreaterThan(LOOK_TIMEOUT_MS);
    expect(sending).toBe(reading);
    expect(long).toBeGreaterThan(100_000);
  });

  it('leaves out of its address what was not asked for', async () => {
    const fetched = answerWith(() => Response.json({ ok: true }));
    await read(shape, '/v1/x', { query: { limit: 5, cursor: undefined, path: '/a b' } });
    expect(fetched.mock.calls[0]?.[0]).toBe('/v1/x?limit=5&path=%2Fa+b');
  });

  it('sends JSON', async () => {
    const fetched = answerWith(() => Response.json({ ok: true }));
    await send(shape, '/v1/x', { a: 1 });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"a":1}' });
  });

  it('that is refused fails with the server’s own sentence and request id', async () => {
    const { status, body } = errorAnswer('directory_busy');
    answerWith(() => Response.json(body, { status }));
    const failure = await failureOf(send(shape, '/v1/x'));
    expect(tellError(failure)).toEqual({
      sentence: ERRORS.directory_busy.sentence,
      requestId: 'req-sentinel',
      retryable: true,
    });
  });

  it('without an answer says that nothing answered', async () => {
    answerWith(() => Promise.reject(new TypeError('fetch failed')));
    const failure = await failureOf(read(shape, '/v1/x'));
    expect(failure).toMatchObject({ code: 'unreachable', retryable: true });
  });

  it('whose answer stops in the middle is a failure as well', async () => {
    const halves = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"ok'));
            controller.error(new DOMException('too late', 'TimeoutError'));
          },
        }),
      );
    answerWith(halves);
    expect(await failureOf(read(shape, '/v1/x'))).toMatchObject({ retryable: true });
  });

  it.each([
    ['a page that asks for patience', () => new Response('<html>', { status: 429 })],
    ['a page instead of JSON', () => new Response('<html>', { status: 502 })],
    ['another shape', () => Response.json({ ok: 'yes' })],
    ['an error in another shape', () => Response.json({ oops: 1 }, { status: 500 })],
  ])('with %s is unreadable, not a crash', async (_, answer) => {
    answerWith(answer);
    expect((await failureOf(read(shape, '/v1/x'))).code).toBe('unreadable');
  });

  it('that its own caller gave up is no failure of the server', async () => {
    const controller = new AbortController();
    answerWith(() => {
      controller.abort(new Error('left the page'));
      return Promise.reject(controller.signal.reason);
    });
    await expect(read(shape, '/v1/x', { signal: controller.signal })).rejects.toThrow(
      'left the page',
    );
  });

  it('that its caller gave up in the middle of the answer fails with that reason', async () => {
    const controller = new AbortController();
    const cut = (body: ReadableStreamDefaultController) => {
      controller.abort(new Error('left the page'));
      body.error(controller.signal.reason);
    };
    answerWith(() => new Response(new ReadableStream({ pull: cut })));
    await expect(read(shape, '/v1/x', { signal: controller.signal })).rejects.toThrow(
      'left the page',
    );
  });

  it('knows when it is about not being signed in', async () => {
    const { status, body } = errorAnswer('unauthenticated');
    answerWith(() => Response.json(body, { status }));
    expect(isSignedOut(await failureOf(read(shape, '/v1/x')))).toBe(true);
    expect(isSignedOut(new Error('other'))).toBe(false);
  });
});

describe('an error that nobody expected', () => {
  it('still says what to do', () => {
    expect(tellError(new TypeError('x is undefined')).sentence).toBe(ERRORS.internal.sentence);
  });
});
