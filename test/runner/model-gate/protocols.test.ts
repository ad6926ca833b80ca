import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../runner/model-gate/session.ts';

const { anthropic, openai, gemini } = PROTOCOLS;

describe('what is known to spend, to cost nothing, or neither', () => {
  it.each([
    [anthropic, 'POST', '/v1/messages', 'spends'],
    [anthropic, 'POST', '/v1/messages/count_tokens', 'free'],
    [anthropic, 'GET', '/v1/models', 'free'],
    [anthropic, 'GET', '/v1/models/claude-opus-5-5', 'free'],
    [anthropic, 'HEAD', '/', 'free'],
    [anthropic, 'POST', '/v1/messages/batches', 'unknown'],
    [anthropic, 'POST', '/v1/complete', 'unknown'],
    [anthropic, 'POST', '/v1/messages/../complete', 'unknown'],
    [anthropic, 'DELETE', '/v1/models/x', 'unknown'],
    [openai, 'POST', '/responses', 'spends'],
    [openai, 'POST', '/responses/compact', 'spends'],
    [openai, 'GET', '/models', 'free'],
    [openai, 'GET', '/responses', 'unknown'],
    [openai, 'POST', '/chat/completions', 'spends'],
    [openai, 'POST', '/completions', 'unknown'],
    [openai, 'POST', '/images/generations', 'unknown'],
    [gemini, 'POST', '/v1beta/models/gemini-3-flash:generateContent', 'spends'],
    [gemini, 'POST', '/v1beta/models/gemini-3-flash:streamGenerateContent', 'spends'],
    [gemini, 'POST', '/v1beta/models/gemini-3-flash:countTokens', 'free'],
    [gemini, 'GET', '/v1beta/models', 'free'],
    [gemini, 'POST', '/v1beta/models/gemini-3-flash:embedContent', 'unknown'],
    [gemini, 'POST', '/v1beta/models/veo:predictLongRunning', 'unknown'],
    [gemini, 'POST', '/v1beta/cachedContents', 'unknown'],
  ] as const)('%o %s %s', (protocol, method, path, kind) => {
    expect(protocol.kindOf(method, path)).toBe(kind);
  });
});

describe('what a request may come to', () => {
  it('is the limit of its answer, and never below its thoughts', () => {
    const body = { model: 'm', max_tokens: 32_000, thinking: { budget_tokens: 10_000 } };
    expect(anthropic.readCall('/v1/messages', body)).toEqual({
      model: 'm',
      maxOutputTokens: 32_000,
      leastOutputTokens: 11_024,
    });
    expect(anthropic.readCall('/v1/messages', { ...body, thinking: null })).toMatchObject({
      leastOutputTokens: 0,
    });
    expect(anthropic.lower(body, 5)).toEqual({ ...body, max_tokens: 5 });
  });

  it('has no limit where the request sets none', () => {
    expect(openai.readCall('/responses', { model: 'm', input: [] })).toEqual({
      model: 'm',
      maxOutputTokens: null,
      leastOutputTokens: 0,
    });
    expect(openai.lower({ model: 'm' }, 7)).toEqual({ model: 'm', max_output_tokens: 7 });
  });

  it('is the limit of a chat completion by whichever name, and not to be told of several', () => {
    const read = (body: object) =>
      openai.readCall('/chat/completions', { model: 'm', messages: [], ...body });
    expect(read({ max_tokens: 9 })).toMatchObject({ model: 'm', maxOutputTokens: 9 });
    expect(read({ max_completion_tokens: 8 })).toMatchObject({ maxOutputTokens: 8 });
    expect(read({})).toMatchObject({ maxOutputTokens: null });
    expect(read({ n: 2 })).toBeNull();
    const lowered = (body: object) => openai.lower({ model: 'm', messages: [], ...body }, 5);
    expect(lowered({ max_tokens: 9 })).toEqual({ model: 'm', messages: [], max_tokens: 5 });
    expect(lowered({ max_completion_tokens: 9, max_tokens: 9 })).toEqual({
      model: 'm',
      messages: [],
      max_completion_tokens: 5,
    });
  });

  it('is not to be told of an answer that comes apart from its call, or several times', () => {
    const later = { model: 'm', input: [], background: true };
    expect(openai.readCall('/responses', later)).toBeNull();
    expect(openai.readCall('/responses', { ...later, background: false })).not.toBeNull();
    const path = '/v1beta/models/gemini-3-flash:generateContent';
    const several = (candidateCount: number) => ({ generationConfig: { candidateCount } });
    expect(gemini.readCall(path, several(8))).toBeNull();
    expect(gemini.readCall(path, several(1))).not.toBeNull();
  });

  it('is of the model in the path, thoughts included', () => {
    const body = {
      generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingBudget: 30 } },
    };
    const path = '/v1beta/models/gemini-3-flash:generateContent';
    expect(gemini.readCall(path, body)).toEqual({
      model: 'gemini-3-flash',
      maxOutputTokens: 130,
      leastOutputTokens: 30,
    });
    expect(gemini.readCall(path, {})).toMatchObject({ maxOutputTokens: null });
    expect(gemini.lower({ contents: [] }, 9)).toEqual({
      contents: [],
      generationConfig: { maxOutputTokens: 9 },
    });
  });

  it('is nothing for a body of another kind', () => {
    for (const protocol of [anthropic, openai])
      for (const body of [undefined, null, 1, {}, { model: 3 }, { model: 'm', max_tokens: -1 }])
        if (protocol === anthropic || (body as { model?: unknown })?.model !== 'm')
          expect(protocol.readCall('/v1/messages', body)).toBeNull();
    expect(gemini.readCall('/v1beta/models/m:countTokens', {})).toBeNull();
  });
});

describe('an error', () => {
  it('has the form of each provider', () => {
    expect(anthropic.refuse(400, 'no')).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'no' },
    });
    expect(openai.refuse(401, 'no')).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect(gemini.refuse(400, 'no')).toEqual({
      error: { code: 400, message: 'no', status: 'FAILED_PRECONDITION' },
    });
  });
});
