import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { brainKeyList } from '../../../protocol/brain-keys.ts';
import { LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { addBrainKey } from '../../../workers/access/brain-keys.ts';
import { openBrainKey } from '../../../workers/access/open-brain-key.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { addKey, SECRET } from '../support/brains.ts';
import { ask, codeOf, makeCliToken, registerRunner, signIn, startEmpty } from '../support/http.ts';

const URL_OF_API = 'https://api.example.com/v1';
let cli: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});

const add = (over: object) =>
  ask('POST', '/v1/brain-keys', {
    bearer: cli,
    body: { name: 'mine', provider: 'anthropic', secret: SECRET, ...over },
  });

describe('a key of a brain', () => {
  it('is listed without its secret, and can be removed', async () => {
    const { keyId } = await addKey(cli, URL_OF_API);
    const listed = await ask('GET', '/v1/brain-keys', { bearer: cli });
    expect(brainKeyList.parse(listed.body).items).toMatchObject([
      { keyId, name: 'mine', provider: 'anthropic', baseUrl: URL_OF_API },
    ]);
    const path = `/v1/brain-keys/${keyId}/remove`;
    expect((await ask('POST', path, { bearer: cli })).status).toBe(200);
    expect(codeOf(await ask('POST', path, { bearer: cli }))).toBe('brain_key_not_found');
    expect((await ask('GET', '/v1/brain-keys', { bearer: cli })).body).toEqual({ items: [] });
  });

  it('has the price that a person says, which the next call counts by, until list prices hold', async () => {
    const { keyId } = await addKey(cli, URL_OF_API);
    const price = { inputMicroUsd: 290_000, outputMicroUsd: 2_250_000 };
    const path = `/v1/brain-keys/${keyId}/price`;
    const opened = () => openBrainKey(env, openDatabase(env.DB), LOCAL_ACCOUNT, keyId);
    expect((await opened()).price).toBeNull();
    const priced = await ask('POST', path, { bearer: cli, body: { price } });
    expect(priced.body).toMatchObject({ keyId, price });
    expect((await opened()).price).toEqual(price);
    expect((await ask('POST', path, { bearer: cli, body: { price: null } })).status).toBe(200);
    expect((await opened()).price).toBeNull();
    const free = { inputMicroUsd: 0, outputMicroUsd: 0 };
    expect((await add({ price: free })).body).toMatchObject({ price: free });
    const negative = { ...free, inputMicroUsd: -1 };
    expect(codeOf(await ask('POST', path, { bearer: cli, body: { price: negative } }))).toBe(
      'bad_request',
    );
    const other = await ask('POST', '/v1/brain-keys/bky_none/price', {
      bearer: cli,
      body: { price },
    });
    expect(codeOf(other)).toBe('brain_key_not_found');
  });

  it('is in no answer and in no row as it was given', async () => {
    const added = await add({ baseUrl: URL_OF_API });
    const listed = await ask('GET', '/v1/brain-keys', { bearer: cli });
    expect(JSON.stringify([added.body, listed.body])).not.toContain(SECRET);
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    ).all();
    for (const { name } of tables.results.filter((row) => !String(row['name']).startsWith('_'))) {
      const rows = await env.DB.prepare(`SELECT * FROM "${String(name)}"`).all();
      expect(JSON.stringify(rows.results)).not.toContain(SECRET);
    }
  });

  it('goes to the provider’s own address where none was named', async () => {
    expect((await add({})).body).toMatchObject({ baseUrl: 'https://api.anthropic.com/v1' });
    expect((await add({ provider: 'openai-compatible' })).body).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
    });
  });

  it('goes to the account’s own address where every account has one', async () => {
    const baseUrl = 'https://api.cloudflare.com/client/v4/accounts/abc123/ai/v1';
    expect((await add({ provider: 'workers-ai', baseUrl })).body).toMatchObject({
      provider: 'workers-ai',
      baseUrl,
    });
  });

  it.each([
    ['http to another machine', { baseUrl: 'http://api.example.com/v1' }],
    ['a name that only begins as this machine', { baseUrl: 'http://127.0.0.1.example.com/v1' }],
    ['a name and a password', { baseUrl: 'https://me:pw@api.example.com/v1' }],
    ['a query', { baseUrl: 'https://api.example.com/v1?x=1' }],
    ['a backslash', { baseUrl: 'https://api.example.com\\@evil.example/v1' }],
    ['no address', { baseUrl: 'api.example.com' }],
    ['another provider', { provider: 'other' }],
    ['no address where each account has its own', { provider: 'workers-ai' }],
    ['no name', { name: ' ' }],
    ['a key of two lines', { secret: 'sk-12345678\nsk-12345678' }],
    ['a short key', { secret: 'sk' }],
  ])('is refused with %s, and not repeated', async (_, over) => {
    const answer = await add(over);
    expect(codeOf(answer)).toBe('bad_request');
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  });

  it('is for people and their command line, not for machines or strangers', async () => {
    const { token } = await registerRunner();
    const cookie = await signIn();
    expect((await ask('GET', '/v1/brain-keys', { cookie })).status).toBe(200);
    for (const bearer of [token, 'nobody']) {
      expect((await ask('GET', '/v1/brain-keys', { bearer })).status).toBeGreaterThanOrEqual(401);
      const body = { name: 'x', provider: 'anthropic', secret: SECRET };
      const made = await ask('POST', '/v1/brain-keys', { bearer, body });
      expect([401, 403]).toContain(made.status);
    }
  });
});

describe('keeping a key', () => {
  const maker = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR };
  const input = { name: 'n', provider: 'anthropic', secret: SECRET, baseUrl: URL_OF_API } as const;

  it.each([undefined, '', 'a word'])(
    'needs a secret of the server, which is not %j',
    async (secret) => {
      const made = addBrainKey(
        { ...(secret !== undefined && { BRAIN_KEYS_SECRET: secret }) },
        openDatabase(env.DB),
        maker,
        input,
        1,
      );
      await expect(made).rejects.toMatchObject({ code: 'brain_keys_unavailable' });
    },
  );

  it('opens it for its own account, with its own secret, at its own address', async () => {
    const database = openDatabase(env.DB);
    const { keyId } = await addBrainKey(env, database, maker, input, 1);
    expect(await openBrainKey(env, database, LOCAL_ACCOUNT, keyId)).toEqual({
      provider: 'anthropic',
      baseUrl: URL_OF_API,
      secret: SECRET,
      price: null,
    });
    const other = { BRAIN_KEYS_SECRET: 'another-secret-that-is-long-enough-too' };
    await expect(openBrainKey(other, database, LOCAL_ACCOUNT, keyId)).rejects.toMatchObject({
      code: 'brain_key_unreadable',
    });
    await env.DB.prepare("UPDATE brain_keys SET base_url = 'https://evil.example'").run();
    await expect(openBrainKey(env, database, LOCAL_ACCOUNT, keyId)).rejects.toMatchObject({
      code: 'brain_key_unreadable',
    });
  });
});
