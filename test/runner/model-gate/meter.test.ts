import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Meter } from '../../../runner/model-gate/meter.ts';
import { PROTOCOLS } from '../../../runner/model-gate/session.ts';

const { anthropic, openai, gemini } = PROTOCOLS;
const EVENTS = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json';
const MODEL = 'claude-sonnet-4-5';
const bytes = (text: string) => new TextEncoder().encode(text);
const sse = (...messages: object[]) =>
  messages.map((message) => `event: x\ndata: ${JSON.stringify(message)}\n\n`).join('');

const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 300,
  output_tokens: 1,
};
const STREAM = sse(
  { type: 'message_start', message: { model: MODEL, usage: USAGE } },
  { type: 'content_block_delta', delta: { text: 'ünïcödé 你好' } },
  { type: 'message_delta', delta: {}, usage: { output_tokens: 50 } },
  { type: 'message_stop' },
);
const WHOLE = {
  model: MODEL,
  tokens: { inputTokens: 100, outputTokens: 50, cacheReadTokens: 300, cacheWriteTokens: 20 },
  microUsd: 300 + 750 + 90 + 75,
  told: true,
};

const meter = (protocol = anthropic, type = EVENTS) =>
  new Meter(protocol, { model: MODEL, inputTokens: 5_000 }, type);

describe('the meter', () => {
  it('reads the same from a stream in whatever pieces it comes', () => {
    const whole = bytes(STREAM);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
        const read = meter();
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          read.push(whole.subarray(at, at + size));
          at += size;
        }
        expect(read.end(true)).toEqual(WHOLE);
      }),
    );
  });

  it('reads an answer without a stream, and a last line without its end', () => {
    const json = meter(anthropic, JSON_TYPE);
    const answer = { type: 'message', model: MODEL, usage: { ...USAGE, output_tokens: 50 } };
    json.push(bytes(JSON.stringify(answer)));
    expect(json.end(true)).toEqual(WHOLE);
    const cut = meter();
    cut.push(bytes(STREAM.trimEnd()));
    expect(cut.end(true)).toEqual(WHOLE);
  });

  it('takes OpenAI’s cached tokens out of its input', () => {
    const read = meter(openai);
    const usage = {
      input_tokens: 1_000,
      input_tokens_details: { cached_tokens: 400 },
      output_tokens: 60,
    };
    read.push(bytes(sse({ type: 'response.completed', response: { model: 'gpt-5.5', usage } })));
    expect(read.end(true)).toMatchObject({
      model: 'gpt-5.5',
      tokens: { inputTokens: 600, cacheReadTokens: 400, outputTokens: 60 },
      microUsd: 600 * 5 + 400 * 0.5 + 60 * 30,
    });
  });

  it('reads the figures of a chat completion, which stand in an event of their own', () => {
    const read = meter(openai);
    const usage = {
      prompt_tokens: 1_000,
      prompt_tokens_details: { cached_tokens: 400 },
      completion_tokens: 60,
    };
    read.push(bytes(sse({ model: 'gpt-5.5', choices: [{ delta: {} }], usage: null })));
    read.push(bytes(sse({ model: 'gpt-5.5', choices: [], usage })));
    expect(read.end(true)).toMatchObject({
      model: 'gpt-5.5',
      tokens: { inputTokens: 600, cacheReadTokens: 400, outputTokens: 60 },
      told: true,
    });
  });

  it('counts Gemini’s thoughts as output, and reads a stream that is one array', () => {
    const usageMetadata = {
      promptTokenCount: 420,
      cachedContentTokenCount: 300,
      candidatesTokenCount: 50,
      thoughtsTokenCount: 7,
    };
    const last = { modelVersion: 'gemini-2.5-flash', usageMetadata };
    const tokens = { inputTokens: 120, cacheReadTokens: 300, outputTokens: 57 };
    const events = meter(gemini);
    events.push(bytes(sse({ candidates: [] }, last)));
    expect(events.end(true)).toMatchObject({ tokens, told: true });
    const array = meter(gemini, JSON_TYPE);
    array.push(bytes(JSON.stringify([{ candidates: [] }, last])));
    expect(array.end(true)).toMatchObject({ tokens, told: true });
  });

  it('never counts an answer that broke off as nothing', () => {
    const early = meter();
    early.push(bytes(STREAM.slice(0, STREAM.indexOf('event: x', 5))));
    expect(early.end(false)).toMatchObject({
      tokens: { inputTokens: 100, cacheReadTokens: 300 },
      told: false,
    });
    const silent = meter(openai);
    silent.push(bytes(sse({ type: 'response.output_text.delta', delta: 'x'.repeat(1_600) })));
    const { tokens, told } = silent.end(false);
    expect(told).toBe(false);
    expect(tokens.inputTokens).toBe(5_000);
    expect(tokens.outputTokens).toBeGreaterThan(100);
  });

  it('keeps no line without an end, charges for it as for the most it can be, and reads on', () => {
    const read = meter();
    const piece = bytes('x'.repeat(1024 * 1024));
    read.push(bytes('data: {"usage":"'));
    const held = process.memoryUsage().heapUsed;
    for (let sent = 0; sent < 64; sent++) read.push(piece);
    expect(process.memoryUsage().heapUsed - held).toBeLessThan(48 * 1024 * 1024);
    read.push(bytes('"}\n'));
    read.push(bytes(STREAM));
    const metered = read.end(true);
    expect(metered.told).toBe(true);
    const cut = meter();
    for (let sent = 0; sent < 20; sent++) cut.push(piece);
    expect(cut.end(false)).toMatchObject({
      told: false,
      tokens: { outputTokens: (20 * 1024 * 1024) / 16 },
    });
  });

  it('says that it does not know a price, and does not call it zero', () => {
    const read = new Meter(anthropic, { model: 'nobody-knows', inputTokens: 1 }, JSON_TYPE);
    read.push(bytes(JSON.stringify({ model: 'nobody-knows', usage: USAGE })));
    expect(read.end(true).microUsd).toBeNull();
  });
});
