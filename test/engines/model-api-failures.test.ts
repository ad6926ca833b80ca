import { afterEach, describe, expect, it } from 'vitest';
import { billOf } from '../support/model-api/bill.ts';
import { calls, says, type Script } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';

/** The model API by plain HTTP: what it plays when it does not answer well. */
const MODEL = 'claude-opus-5-5';
let api: ModelApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function ask(script: Script, options: { stream?: boolean; signal?: AbortSignal } = {}) {
  api = await startModelApi(script);
  return fetch(`${api.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-api-key': 'key-1' },
    body: JSON.stringify({
      model: MODEL,
      stream: options.stream ?? false,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: 'hello' }],
    }),
    ...(options.signal && { signal: options.signal }),
  });
}

describe('the model API', () => {
  it('serves on loopback alone, and notes the key it was shown', async () => {
    await ask({ hello: [says('Hi.')] });
    expect(api?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(api?.seen).toMatchObject([{ path: '/v1/messages', apiKey: 'key-1' }]);
  });

  it('answers without a stream when none is asked for', async () => {
    const response = await ask({ hello: [calls('Bash', { command: 'ls' })] });
    expect(await response.json()).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }],
    });
    expect(api?.served).toMatchObject([{ model: MODEL, complete: true }]);
  });

  it.each([401, 403, 429, 529])(
    'refuses with %i, its headers, and nothing on the bill',
    async (status) => {
      const headers = { 'retry-after': '7' };
      const response = await ask({
        hello: [{ kind: 'error', status, type: 'some_error', message: 'no', headers }],
      });
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBe('7');
      expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'some_error' } });
      expect(billOf(api?.served ?? [])).toBe(0);
    },
  );

  it('cuts a stream short, and marks what it served as incomplete', async () => {
    const content = [{ type: 'text' as const, text: 'one two three' }];
    const response = await ask(
      { hello: [{ kind: 'message', content, cutAfter: 1 }] },
      { stream: true },
    );
    await expect(response.text()).rejects.toThrow(/terminated|closed/);
    expect(api?.served).toMatchObject([{ complete: false }]);
  });

  it('says nothing until the client gives up', async () => {
    await expect(
      ask({ hello: [{ kind: 'hang' }] }, { signal: AbortSignal.timeout(300) }),
    ).rejects.toThrow(/aborted|timeout/i);
    expect(api?.seen).toHaveLength(1);
    expect(api?.served).toEqual([]);
  });

  it('waits before the first byte', async () => {
    const before = performance.now();
    const content = [{ type: 'text' as const, text: 'late' }];
    await ask({ hello: [{ kind: 'message', content, firstByteMs: 200 }] }, { stream: true });
    expect(performance.now() - before).toBeGreaterThan(190);
  });
});
