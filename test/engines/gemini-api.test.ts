import { afterEach, describe, expect, it } from 'vitest';
import { startGeminiApi, type GeminiApi } from '../support/model-api/gemini-api.ts';
import { geminiBillOf, geminiTokensOf } from '../support/model-api/gemini-bill.ts';
import { calls, says, type Script } from '../support/model-api/script.ts';

/** The Gemini API of the tests by plain HTTP. */
let api: GeminiApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function ask(script: Script, method: string, more: Record<string, unknown> = {}) {
  api = await startGeminiApi(script);
  return fetch(`${api.url}/v1beta/models/gemini-3.8-flash:${method}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'key-1' },
    body: JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      ...more,
    }),
  });
}

const eventsOf = async (response: Response) =>
  (await response.text())
    .split('\r\n\r\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as Record<string, unknown>);

describe('the Gemini API', () => {
  it('streams a text word by word, with its figures in the last event alone', async () => {
    const events = await eventsOf(
      await ask({ hello: [says('Well, hello.')] }, 'streamGenerateContent'),
    );
    expect(events).toHaveLength(2);
    expect(events[0]).not.toHaveProperty('usageMetadata');
    expect(events[1]).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'hello.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 420, cachedContentTokenCount: 300, totalTokenCount: 477 },
    });
    expect(api?.served).toMatchObject([{ model: 'gemini-3.8-flash', complete: true }]);
    expect(api?.seen).toMatchObject([{ apiKey: 'key-1' }]);
  });

  it('calls a function', async () => {
    const response = await ask(
      { hello: [calls('run_shell_command', { command: 'ls' })] },
      'generateContent',
    );
    expect(await response.json()).toMatchObject({
      candidates: [
        {
          content: {
            parts: [{ functionCall: { name: 'run_shell_command', args: { command: 'ls' } } }],
          },
        },
      ],
    });
  });

  it('fills the schema that a helper model is asked to fill', async () => {
    const schema = {
      type: 'OBJECT',
      properties: { score: { type: 'INTEGER' }, choice: { type: 'STRING', enum: ['pro'] } },
    };
    const response = await ask({}, 'generateContent', {
      generationConfig: { responseJsonSchema: schema },
    });
    expect(await response.text()).toContain(
      JSON.stringify(JSON.stringify({ score: 1, choice: 'pro' })),
    );
  });

  it('breaks off where it is told to, and bills nothing for that', async () => {
    const reply = { ...says('one two three'), cutAfter: 1 };
    const response = await ask({ hello: [reply] }, 'streamGenerateContent');
    await expect(response.text()).rejects.toThrow();
    expect(geminiBillOf(api?.served ?? [])).toBe(0);
    expect(geminiTokensOf(api?.served ?? []).outputTokens).toBe(0);
  });

  it('refuses as the real one does, and knows no other paths', async () => {
    const refusal = { kind: 'error', status: 401, type: 'UNAUTHENTICATED', message: 'no' } as const;
    const response = await ask({ hello: [refusal] }, 'streamGenerateContent');
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: 401, message: 'no', status: 'UNAUTHENTICATED' } },
    ]);
    expect((await fetch(`${api?.url}/v1/other`)).status).toBe(404);
  });

  it('counts tokens and makes embeddings for whoever asks', async () => {
    expect(await (await ask({}, 'countTokens')).json()).toEqual({ totalTokens: 42 });
    await api?.close();
    expect(await (await ask({}, 'embedContent')).json()).toHaveProperty('embedding');
    expect(api?.served).toEqual([]);
  });
});
