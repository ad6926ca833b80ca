import { describe, expect, it } from 'vitest';
import { refusalWords } from '../../../runner/model-gate/words.ts';
import { controlTokenOf, isSame } from '../../../runner/lasting/tokens.ts';
import { placeholderOf } from '../../../runner/model-gate/tokens.ts';
import { headersToReturn, headersToSend, urlAt } from '../../../runner/model-gate/upstream.ts';

describe('the address of a call', () => {
  it.each([
    ['https://api.example', '/v1/messages', '', 'https://api.example/v1/messages'],
    ['https://api.example/', '/v1/messages', '?a=1', 'https://api.example/v1/messages?a=1'],
    ['https://gw.example/team/v1/', '/responses', '', 'https://gw.example/team/v1/responses'],
    ['https://gw.example/?v=2', '/m', '?a=1&a=2', 'https://gw.example/m?v=2&a=1&a=2'],
  ])('of %s is below its own base, with its own parameters', (base, path, search, url) => {
    expect(urlAt(base, path, search).href).toBe(url);
  });

  it('never has the placeholder in it', () => {
    expect(urlAt('https://a.example', '/m', '?key=pilothouse-1&alt=sse').search).toBe('?alt=sse');
  });
});

describe('headers', () => {
  it('are the caller’s, with the key of this side and nothing of the connection', () => {
    const sent = headersToSend(
      {
        host: '127.0.0.1:1',
        connection: 'keep-alive',
        'content-length': '5',
        'content-encoding': 'gzip',
        'accept-encoding': 'gzip, br',
        'x-api-key': 'pilothouse-1',
        authorization: 'Bearer pilothouse-1',
        'x-goog-api-key': 'pilothouse-1',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'a,b',
      },
      { authorization: 'Bearer real' },
      7,
    );
    expect(sent).toEqual({
      authorization: 'Bearer real',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'accept-encoding': 'identity',
      'content-length': '7',
    });
  });

  it('come back as the provider sent them', () => {
    expect(
      headersToReturn({
        'retry-after': '3',
        'transfer-encoding': 'chunked',
        'set-cookie': ['a=1', 'b=2'],
      }),
    ).toEqual({ 'retry-after': '3', 'set-cookie': ['a=1', 'b=2'] });
  });
});

describe('what stands for the key', () => {
  const key = Buffer.from('a secret of the gate');

  it('is another one for each session, and the same after a restart', () => {
    expect(placeholderOf(key, 'ses_a')).toBe(placeholderOf(Buffer.from(key), 'ses_a'));
    expect(placeholderOf(key, 'ses_a')).not.toBe(placeholderOf(key, 'ses_b'));
    expect(placeholderOf(Buffer.from('another'), 'ses_a')).not.toBe(placeholderOf(key, 'ses_a'));
  });

  it('tells nothing of what the runner proves itself by', () => {
    expect(placeholderOf(key, 'control')).not.toContain(controlTokenOf(key).slice(0, 12));
    expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', 'ab')]).toEqual([true, false, false]);
  });
});

it('says with every refusal what to do', () => {
  for (const why of ['spent', 'too_large', 'unpriced', 'unknown_endpoint'] as const)
    expect(refusalWords(why, 'it')).toMatch(/raise the budget|without a budget|model_gate = false/);
});
