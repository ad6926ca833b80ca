import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ask,
  codeOf,
  HOST_TOKEN,
  makeCliToken,
  registerRunner,
  signIn,
  startEmpty,
} from '../support/http.ts';

describe('signing in', () => {
  beforeEach(startEmpty);

  const makeLink = async (): Promise<string> => {
    const answer = await ask('POST', '/v1/links', { bearer: HOST_TOKEN, body: {} });
    return (
      z
        .object({ path: z.string().startsWith('/sign-in#') })
        .parse(answer.body)
        .path.split('#')[1] ?? ''
    );
  };

  it('gives a cookie that no script can read and no other site can send', async () => {
    const answer = await ask('POST', '/v1/sign-in', { body: { token: await makeLink() } });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(answer.status).toBe(200);
    expect(cookie).toMatch(/^pilothouse_session=[\w-]{43};/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Strict');
    expect(cookie).not.toContain('Secure');
  });

  it('gives a Secure cookie behind https', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const answer = await ask('POST', '/v1/sign-in', { body: { token: await makeLink() }, headers });
    expect(answer.headers.get('set-cookie')).toContain('Secure');
  });

  it('works once per link, even for many at the same time', async () => {
    const token = await makeLink();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => ask('POST', '/v1/sign-in', { body: { token } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401,
    ]);
  });

  it('is refused with a link that has expired', async () => {
    const token = await makeLink();
    await env.DB.exec('UPDATE credentials SET expires_at = 1');
    expect(codeOf(await ask('POST', '/v1/sign-in', { body: { token } }))).toBe('link_used');
  });

  it('is refused with a token of another kind', async () => {
    expect(
      codeOf(await ask('POST', '/v1/sign-in', { body: { token: await makeCliToken() } })),
    ).toBe('link_used');
  });

  it('makes the caller a person, until they sign out', async () => {
    const cookie = await signIn();
    expect((await ask('GET', '/v1/me', { cookie })).body).toMatchObject({
      principal: { kind: 'person' },
    });
    expect((await ask('POST', '/v1/sign-out', { cookie })).status).toBe(200);
    expect(codeOf(await ask('GET', '/v1/me', { cookie }))).toBe('unauthenticated');
  });
});

describe('credentials', () => {
  beforeEach(startEmpty);

  it('are stored only as hashes', async () => {
    const tokens = [
      await makeCliToken(),
      (await registerRunner()).token,
      (await signIn()).split('=')[1] ?? '',
    ];
    const { results } = await env.DB.prepare('SELECT * FROM credentials').all();
    const stored = JSON.stringify(results);
    expect(results.length).toBe(4);
    expect(tokens.filter((token) => token === '' || stored.includes(token))).toEqual([]);
  });

  it('of a command line are no cookie, and a cookie’s are no bearer', async () => {
    const cli = await makeCliToken();
    const session = (await signIn()).split('=')[1] ?? '';
    expect(codeOf(await ask('GET', '/v1/me', { cookie: `pilothouse_session=${cli}` }))).toBe(
      'unauthenticated',
    );
    expect(codeOf(await ask('GET', '/v1/me', { bearer: session }))).toBe('unauthenticated');
  });

  it('of a command line may make links and register runners, and not make further tokens', async () => {
    const cli = await makeCliToken();
    expect((await ask('POST', '/v1/links', { bearer: cli, body: {} })).status).toBe(201);
    expect(
      (await ask('POST', '/v1/runners', { bearer: cli, body: { name: 'laptop' } })).status,
    ).toBe(201);
    expect(codeOf(await ask('POST', '/v1/cli-tokens', { bearer: cli, body: { name: 'x' } }))).toBe(
      'forbidden',
    );
  });
});

describe('the access log', () => {
  beforeEach(startEmpty);

  const rows = async () =>
    (
      await env.DB.prepare(
        'SELECT principal_kind, operation, status, error_code FROM access_log ORDER BY at, rowid',
      ).all()
    ).results;

  it('has who changed what, and how it ended', async () => {
    const cookie = await signIn();
    await ask('POST', '/v1/sessions/ses_1/stop', { cookie });
    expect(await rows()).toEqual([
      { principal_kind: 'host', operation: 'links.make', status: 201, error_code: null },
      { principal_kind: 'person', operation: 'access.signIn', status: 200, error_code: null },
      {
        principal_kind: 'person',
        operation: 'sessions.stop',
        status: 404,
        error_code: 'session_not_found',
      },
    ]);
  });

  it('has no reading', async () => {
    const cli = await makeCliToken();
    await ask('GET', '/v1/sessions', { bearer: cli });
    expect(await rows()).toHaveLength(1);
  });
});
