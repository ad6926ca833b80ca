import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { decisionKeyPage, madeDecisionKey } from '../../../protocol/decisions.ts';
import { makeDecisionKey, post } from '../support/decisions.ts';
import { ask, codeOf, makeCliToken, registerRunner, signIn, startEmpty } from '../support/http.ts';

let cli: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});

const list = async (query = '') =>
  decisionKeyPage.parse((await ask('GET', `/v1/decisions/keys${query}`, { bearer: cli })).body);
const revoke = (keyId: string) =>
  ask('POST', `/v1/decisions/keys/${keyId}/revoke`, { bearer: cli });
const make = (body: unknown) => ask('POST', '/v1/decisions/keys', { bearer: cli, body });

describe('a key for decision reports', () => {
  it('is made by a command line or a person, who is told its token', async () => {
    const byCli = await makeDecisionKey(cli);
    expect(byCli.token).toMatch(/^phd_[\w-]{43}$/);
    const answer = await ask('POST', '/v1/decisions/keys', {
      cookie: await signIn(),
      body: { repository: 'acme/app' },
    });
    const byPerson = madeDecisionKey.parse(answer.body).key;
    expect([byCli.key.madeBy, byPerson.madeBy, byPerson.name]).toEqual(['cli', 'person', 'CI']);
  });

  it('is told once: no list and no table has its token', async () => {
    const { token } = await makeDecisionKey(cli);
    const { results } = await env.DB.prepare('SELECT * FROM decision_keys').all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify([results, await list()])).not.toContain(token);
    expect(JSON.stringify((await list()).items)).not.toContain('hash');
  });

  it('is not made by a machine, and not by another key', async () => {
    const { token } = await registerRunner();
    const key = await makeDecisionKey(cli);
    for (const bearer of [token, key.token]) {
      const body = { repository: 'acme/site' };
      expect(codeOf(await ask('POST', '/v1/decisions/keys', { bearer, body }))).toBe('forbidden');
    }
    expect((await list()).items).toHaveLength(1);
  });

  it.each(['', '.', '../up', 'a/../b', 'a//b', '/a', 'a/', 'a b', 'a\nb', '<b>', 'x'.repeat(141)])(
    'is not made for %j, which is no name of a repository',
    async (repository) => {
      expect(codeOf(await make({ repository }))).toBe('bad_request');
    },
  );

  it.each(['site', 'acme/site', 'group/sub.group/my_site-2', '.github', 'a/..b'])(
    'is made for %j',
    async (repository) => {
      expect((await make({ repository })).status).toBe(201);
    },
  );

  it('says when it was last used, which is never before it is', async () => {
    const { key, token } = await makeDecisionKey(cli);
    expect((await list()).items[0]?.lastUsedAt).toBeNull();
    await post(token);
    const used = (await list()).items[0];
    expect(used?.keyId).toBe(key.keyId);
    expect(used?.lastUsedAt).toBeGreaterThanOrEqual(key.createdAt);
  });

  it('is listed newest first, in pages, and by repository', async () => {
    for (const repository of ['a', 'b', 'a']) await makeDecisionKey(cli, repository);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    const ids = [...first.items, ...second.items].map(({ keyId }) => keyId);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect((await list('?repository=a')).items).toHaveLength(2);
  });
});

describe('revoking a key', () => {
  it('makes it worthless at once, and leaves it in the list', async () => {
    const { key, token } = await makeDecisionKey(cli);
    expect((await post(token)).status).toBe(200);
    expect((await revoke(key.keyId)).status).toBe(200);
    expect(codeOf(await post(token, { startedAt: 2 }))).toBe('unauthenticated');
    expect((await list()).items[0]?.revokedAt).toBeGreaterThan(0);
  });

  it('again changes nothing, and leaves other keys alone', async () => {
    const one = await makeDecisionKey(cli);
    const other = await makeDecisionKey(cli);
    await revoke(one.key.keyId);
    const { revokedAt } = (await list()).items[1] ?? {};
    expect((await revoke(one.key.keyId)).status).toBe(200);
    expect((await list()).items[1]?.revokedAt).toBe(revokedAt);
    expect((await post(other.token)).status).toBe(200);
  });

  it('of an unknown key and of another account’s is told to be neither here', async () => {
    const { key } = await makeDecisionKey(cli);
    expect(codeOf(await revoke('dky_nothing'))).toBe('decision_key_not_found');
    await moveToAnotherAccount('decision_keys', `key_id = '${key.keyId}'`);
    expect(codeOf(await revoke('dky_theirs'))).toBe('decision_key_not_found');
    expect((await list()).items.map(({ keyId }) => keyId)).toEqual([key.keyId]);
  });

  it('is in the access log, with who did it and without the token', async () => {
    const { key, token } = await makeDecisionKey(cli);
    await revoke(key.keyId);
    const { results } = await env.DB.prepare('SELECT * FROM access_log ORDER BY rowid').all();
    expect(results.slice(1)).toMatchObject([
      { operation: 'decisionKeys.make', principal_kind: 'cli', status: 201 },
      { operation: 'decisionKeys.revoke', target: `/v1/decisions/keys/${key.keyId}/revoke` },
    ]);
    expect(JSON.stringify(results)).not.toContain(token);
  });
});

describe('the table of keys', () => {
  it.each([
    ["UPDATE decision_keys SET repository = 'b'", /stays what it is/],
    ["UPDATE decision_keys SET token_hash = 'b'", /stays what it is/],
    ['UPDATE decision_keys SET revoked_at = NULL', /stays what it is/],
    ['DELETE FROM decision_keys', /not deleted/],
  ])('refuses %s', async (statement, reason) => {
    const { key } = await makeDecisionKey(cli);
    await revoke(key.keyId);
    await expect(env.DB.prepare(statement).run()).rejects.toThrow(reason);
  });
});

/** Copies a key's row to another account, under ids of its own. */
async function moveToAnotherAccount(table: string, where: string): Promise<void> {
  const row = await env.DB.prepare(`SELECT * FROM ${table} WHERE ${where}`).first();
  const theirs = { ...row, account_id: 'acc_other', key_id: 'dky_theirs', token_hash: 'theirs' };
  const columns = Object.keys(theirs);
  await env.DB.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(theirs))
    .run();
}
