import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exports } from 'cloudflare:workers';
import { isOwnOrigin, parseAllowedHosts } from '../../../workers/http/origin.ts';
import { makeDecisionKey } from '../support/decisions.ts';
import { ask, codeOf, makeCliToken, registerRunner, signIn, startEmpty } from '../support/http.ts';

type Listed = { method: string; path: string; callers: string[] };

const document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), security: z.array(z.record(z.string(), z.unknown())) }),
    ),
  ),
});

describe('every operation', () => {
  let cli: string;
  let operations: Listed[];
  beforeEach(async () => {
    await startEmpty();
    cli = await makeCliToken();
    const { paths } = document.parse((await ask('GET', '/v1/openapi.json', { bearer: cli })).body);
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path: path
          .replace('{runnerId}', 'run_1')
          .replace('{sessionId}', 'ses_1')
          .replace('{channelId}', 'ghc_1')
          .replace(/\{\w+\}/, 'apr_1'),
        callers: security.flatMap((scheme) => Object.keys(scheme)),
      })),
    );
  });

  const send = (listed: Listed, options: Parameters<typeof ask>[2] = {}) =>
    ask(listed.method, listed.path, {
      ...(listed.method === 'POST' ? { body: {} } : {}),
      ...options,
    });

  it('but three and one that goes by a signature is closed to whoever presents nothing', async () => {
    const open: string[] = [];
    const signed: string[] = [];
    for (const listed of operations) {
      const answer = await send(listed);
      if (answer.status === 401 && codeOf(answer) === 'unauthenticated') continue;
      if (answer.status >= 400 && codeOf(answer) === 'github_webhook_refused')
        signed.push(listed.path);
      else open.push(`${listed.method} ${listed.path}`);
    }
    expect(operations.length).toBeGreaterThanOrEqual(26);
    expect(open).toEqual(['GET /v1/health', 'POST /v1/sign-in', 'POST /v1/pairings/claim']);
    expect(signed).toEqual(['/v1/github/webhooks/ghc_1']);
  });

  it('is closed to a token that nobody was given', async () => {
    const guarded = operations.filter(({ callers }) => callers.length > 0);
    const answers = await Promise.all(
      guarded.map((listed) => send(listed, { bearer: 'a'.repeat(43) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });

  it('is closed to a runner’s token, except the link', async () => {
    const { token } = await registerRunner();
    const guarded = operations.filter(
      ({ callers }) => callers.length > 0 && !callers.includes('runnerToken'),
    );
    const answers = await Promise.all(guarded.map((listed) => send(listed, { bearer: token })));
    expect(guarded.length).toBeGreaterThan(20);
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['forbidden']));
  });

  it('is closed to a key of a build, except posting a report', async () => {
    const { token } = await makeDecisionKey(cli);
    const guarded = operations.filter(
      ({ callers }) => callers.length > 0 && !callers.includes('decisionKey'),
    );
    const answers = await Promise.all(guarded.map((listed) => send(listed, { bearer: token })));
    // Health, signing in, pairing, the webhook, and posting a report.
    expect(guarded.length).toBe(operations.length - 5);
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['forbidden']));
    const asCookie = await Promise.all(
      operations
        .filter(({ callers }) => callers.length > 0)
        .map((listed) => send(listed, { cookie: `pilothouse_session=${token}` })),
    );
    expect(new Set(asCookie.map(codeOf))).toEqual(new Set(['unauthenticated']));
  });

  it('is closed to a person where only the host, a command line, a runner, a build or an MCP client may call', async () => {
    const cookie = await signIn();
    const guarded = operations.filter(
      ({ callers }) => callers.length > 0 && !callers.includes('sessionCookie'),
    );
    const answers = await Promise.all(guarded.map((listed) => send(listed, { cookie })));
    expect(guarded.length).toBe(7);
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['forbidden']));
  });

  it('that changes something refuses a page of another site, before it looks at the credential', async () => {
    const changing = operations.filter(({ method }) => method === 'POST');
    const headers = { origin: 'https://elsewhere.test' };
    const answers = await Promise.all(
      changing.map((listed) => send(listed, { bearer: cli, headers })),
    );
    expect(changing.length).toBeGreaterThan(10);
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['origin_refused']));
  });
});

describe('a request', () => {
  beforeEach(startEmpty);

  it('to a Host that is not this instance gets nothing, the console included', async () => {
    for (const path of ['/v1/health', '/', '/sessions']) {
      const response = await exports.default.fetch(`http://rebound.test${path}`);
      expect([response.status, await response.text()]).toEqual([
        403,
        expect.stringContaining('origin_refused'),
      ]);
    }
  });

  it('from one of our own pages may change something', async () => {
    const cookie = await signIn();
    const headers = { origin: 'http://pilothouse.test' };
    expect((await ask('POST', '/v1/sign-out', { cookie, headers })).status).toBe(200);
  });

  it('with a body that is too large is refused as such', async () => {
    const cli = await makeCliToken();
    const body = { runnerId: 'run_1', text: 'x'.repeat(2 * 1024 * 1024) };
    const answer = await ask('POST', '/v1/sessions', { bearer: cli, body });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
  });

  it('that is not JSON is refused with the one form of error', async () => {
    const response = await exports.default.fetch('http://pilothouse.test/v1/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'bad_request', retryable: false },
    });
  });

  it('to an address of the API that is not there is told so', async () => {
    expect(codeOf(await ask('GET', '/v1/nothing'))).toBe('not_found');
  });

  it('is answered with headers that keep other sites and scripts out, each once', async () => {
    const { headers } = await ask('GET', '/v1/health');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; ");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['pilothouse.test', 'same-origin'],
    ['127.0.0.1:4000', 'same-origin'],
    ['192.168.1.20:4000', null],
  ])(
    'at %s has the opener policy %s, which an address without encryption cannot have',
    async (host, policy) => {
      const answer = await exports.default.fetch(`http://${host}/v1/health`);
      await answer.text();
      expect(answer.headers.get('cross-origin-opener-policy')).toBe(policy);
    },
  );

  it('says how commands are run where it is, to whoever is not signed in too', async () => {
    const { status, headers } = await ask('GET', '/v1/me');
    expect(status).toBe(401);
    expect(headers.get('x-pilothouse-command')).toBe('npx pilothouse');
  });

  it('that fails names the request under which the log has the cause', async () => {
    const answer = await ask('GET', '/v1/me');
    expect(answer.body).toMatchObject({ error: { requestId: answer.headers.get('x-request-id') } });
  });
});

describe('origins', () => {
  const hosts = parseAllowedHosts('127.0.0.1:4170, Desk.local:4170,');

  it('are ours at every host that is listed, by http and https', () => {
    expect(
      ['http://127.0.0.1:4170', 'https://desk.local:4170'].every((origin) =>
        isOwnOrigin(origin, hosts),
      ),
    ).toBe(true);
  });

  it.each([
    'null',
    '',
    'http://127.0.0.1',
    'http://127.0.0.1:4170.evil.test',
    'file://127.0.0.1:4170',
    'http://evil.test/127.0.0.1:4170',
  ])('are not ours: %s', (origin) => {
    expect(isOwnOrigin(origin, hosts)).toBe(false);
  });

  it('are nobody’s when no host is listed', () => {
    expect(parseAllowedHosts('').size).toBe(0);
  });
});
