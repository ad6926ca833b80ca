import { describe, expect, it } from 'vitest';
import { type BrainProvider, BRAIN_PROVIDERS } from '../../../../protocol/brain-keys.ts';
import { askModel } from '../../../../workers/pilot/brains/model.ts';
import type { BrainReply } from '../../../support/model-api/brain-script.ts';
import { answers, scriptApi, SECRET } from '../../support/brains.ts';

/** A model with a price, so that its figures are dollars too. */
const MODEL = 'claude-haiku-4-5';

async function asked(
  replies: BrainReply[],
  {
    provider = 'anthropic',
    timeoutMs = 5_000,
  }: { provider?: BrainProvider; timeoutMs?: number } = {},
) {
  const api = await scriptApi(...replies);
  const key = { provider, baseUrl: api.baseUrl, secret: SECRET };
  const reply = await askModel({ key, model: MODEL, system: 'S', prompt: 'P', timeoutMs });
  return { reply, seen: await api.seen() };
}

describe.each(BRAIN_PROVIDERS)('a model of the form %s', (provider) => {
  it('is asked for the schema, without any tool but the answer, and answers a decision', async () => {
    const answer = answers('instruct', { instruction: 'Correct src/tide.js' });
    const { reply, seen } = await asked([answer], { provider });
    expect(reply).toMatchObject({
      kind: 'answered',
      answer: { next: 'instruct', instruction: 'Correct src/tide.js', waitMinutes: null },
    });
    expect(seen).toHaveLength(1);
    const [call] = seen;
    expect(call?.path).toBe(provider === 'anthropic' ? 'v1/messages' : 'v1/chat/completions');
    expect(call?.key).toBe(provider === 'anthropic' ? SECRET : `Bearer ${SECRET}`);
    expect(JSON.stringify(call?.body)).toContain('waitMinutes');
    expect(JSON.stringify(call?.body)).not.toContain(SECRET);
    const tools = (call?.body['tools'] ?? []) as { name: string }[];
    expect(tools.filter(({ name }) => name !== 'json')).toEqual([]);
  });

  it('tells tokens, from which dollars are estimated', async () => {
    const usage = { input: 1_000, output: 100, cacheRead: 0 };
    const reply = { ...answers('finish'), usage };
    expect((await asked([reply], { provider })).reply.usage).toEqual({
      model: MODEL,
      provenance: 'estimated',
      payer: 'api-key',
      inputTokens: 1_000,
      outputTokens: 100,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 1_500,
    });
  });

  it.each<[string, BrainReply, string]>([
    ['words', { kind: 'answer', answer: 'I am done.' }, 'not a decision'],
    ['another verb', { kind: 'answer', answer: { next: 'merge', reason: 'r' } }, 'not a decision'],
    ['no object', { kind: 'answer', answer: '[]' }, 'not a decision'],
    ['a refusal', { kind: 'answer', answer: 'No.', finish: 'refusal' }, 'refused'],
    ['half an answer', { kind: 'answer', answer: '{"next":', finish: 'length' }, 'cut off'],
    ['no JSON', { kind: 'raw', text: '<html>' }, 'cannot be read'],
    ['another API', { kind: 'raw', text: '{"ok":true}' }, 'cannot be read'],
  ])('makes of %s no decision, and counts what it may have cost', async (_, reply, problem) => {
    const { reply: got, seen } = await asked([reply], { provider });
    expect(got).toMatchObject({ kind: 'undecided', problem: expect.stringContaining(problem) });
    expect(got.usage).toMatchObject({ payer: 'api-key' });
    expect(seen).toHaveLength(1);
  });

  it.each([401, 403, 400, 404, 422])('needs a person at status %i', async (status) => {
    const { reply } = await asked([{ kind: 'error', status }], { provider });
    expect(reply).toMatchObject({ kind: 'unavailable', waitMs: null, usage: null });
    expect(JSON.stringify(reply)).toContain(String(status));
  });

  it.each([408, 429, 500, 503, 529])('is left alone for a while at status %i', async (status) => {
    const { reply, seen } = await asked([{ kind: 'error', status }], { provider });
    expect(reply).toMatchObject({ kind: 'unavailable', waitMs: 60_000, usage: null });
    // Trying again is the Pilot's, which waits in between.
    expect(seen).toHaveLength(1);
  });

  it('waits as long as the provider says', async () => {
    const reply: BrainReply = { kind: 'error', status: 429, headers: { 'retry-after': '7' } };
    expect((await asked([reply], { provider })).reply).toMatchObject({ waitMs: 7_000 });
  });

  it('does not follow a redirect with the key', async () => {
    const other = await scriptApi(answers('finish'));
    const headers = { location: `${other.baseUrl}/messages` };
    const { reply } = await asked([{ kind: 'error', status: 307, headers }], { provider });
    expect(reply).toMatchObject({ kind: 'unavailable', waitMs: null });
    expect(await other.seen()).toEqual([]);
  });

  it('is given up after its time, which may have been charged', async () => {
    const { reply } = await asked([{ kind: 'hang' }], { provider, timeoutMs: 300 });
    expect(reply).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('in time'),
      usage: { provenance: 'unsettled', microUsd: null },
    });
  });

  it('that cannot be reached is asked again later', async () => {
    const key = { provider, baseUrl: 'http://127.0.0.1:9/v1', secret: SECRET };
    const question = { key, model: MODEL, system: 'S', prompt: 'P', timeoutMs: 2_000 };
    expect(await askModel(question)).toMatchObject({ kind: 'unavailable', waitMs: 60_000 });
  });

  it('never says the key, whatever the provider repeats', async () => {
    for (const status of [400, 401, 404, 429, 500]) {
      const { reply } = await asked([{ kind: 'error', status }], { provider });
      expect(JSON.stringify(reply)).not.toContain(SECRET);
    }
  });
});
