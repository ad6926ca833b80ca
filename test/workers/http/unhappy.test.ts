import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorBody, ERRORS } from '../../../protocol/errors.ts';
import { INSTRUCTION_MAX_CHARS } from '../../../protocol/instruction.ts';
import { type Answer, ask, codeOf, HOST, HOST_TOKEN, signIn } from '../support/http.ts';
import { type Launched, launchOn, startOnline } from '../support/sessions.ts';

let home: Launched;
beforeAll(async () => {
  home = await launchOn(await startOnline());
});

const get = (path: string) => ask('GET', path, { bearer: home.cli });
const post = (path: string, body: unknown, bearer = home.cli) =>
  ask('POST', path, { bearer, body });
const session = (rest = '') => `/v1/sessions/${home.sessionId}${rest}`;
/** The detail of an error, which names the field that is wrong. */
const detailOf = (answer: Answer) => String(errorBody.parse(answer.body).error.context['detail']);

describe('a query that makes no sense', () => {
  it.each([
    ['/v1/sessions?limit=0', 'limit'],
    ['/v1/sessions?limit=501', 'limit'],
    ['/v1/sessions?limit=ten', 'limit'],
    ['/v1/sessions?limit=2.5', 'limit'],
    ['/v1/sessions?runnerId=ses_1', 'runnerId'],
    [`/v1/sessions?cursor=${'x'.repeat(201)}`, 'cursor'],
    ['/v1/runners?limit=-1', 'limit'],
    ['/v1/usage?from=yesterday', 'from'],
    ['/v1/usage?to=-5', 'to'],
    ['/v1/usage?sessionId=run_1', 'sessionId'],
    ['/v1/usage/summary?by=week', 'by'],
    ['/v1/acts?kind=nuke', 'kind'],
    ['/v1/acts?sessionId=', 'sessionId'],
  ])('%s is refused by the name of %s', async (path, field) => {
    const answer = await get(path);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request']);
    expect(detailOf(answer)).toMatch(new RegExp(`^${field}: `));
  });

  it.each(['after=-1', 'after=x', 'limit=0', 'limit=1001'])(
    'for entries is refused: %s',
    async (query) => {
      expect(codeOf(await get(session(`/entries?${query}`)))).toBe('bad_request');
    },
  );

  it('for directories is refused before a machine is asked', async () => {
    const path = `/v1/runners/${home.runner.runnerId}/directories`;
    const before = home.peer.frames.length;
    expect(codeOf(await get(`${path}?limit=0`))).toBe('bad_request');
    expect(codeOf(await get(`${path}?path=${'x'.repeat(4_097)}`))).toBe('bad_request');
    expect(home.peer.frames.length).toBe(before);
  });
});

describe('an id of the wrong form', () => {
  it.each([
    '/v1/sessions/run_1',
    '/v1/sessions/ses_UPPER',
    '/v1/sessions/ses_',
    `/v1/sessions/ses_${'a'.repeat(41)}`,
    '/v1/sessions/..%2Fme',
    `/v1/sessions/ses_1%00`,
    '/v1/runners/ses_1',
    '/v1/runners/run_1%27--',
  ])('is refused and reaches no object: %s', async (path) => {
    const answer = await get(path);
    expect([400, 404]).toContain(answer.status);
    expect(['bad_request', 'not_found']).toContain(codeOf(answer));
  });
});

describe('a body that makes no sense', () => {
  const launch = {
    engineId: 'rehearsal',
    directory: null,
    objective: 'x',
  };

  it.each([
    [{}, 'runnerId'],
    [{ runnerId: 'nobody' }, 'runnerId'],
    [{ engineId: '' }, 'engineId'],
    [{ directory: '' }, 'directory'],
    [{ directory: 'x'.repeat(4_097) }, 'directory'],
    [{ objective: '' }, 'objective'],
    [{ objective: 'x'.repeat(INSTRUCTION_MAX_CHARS + 1) }, 'objective'],
    [{ checkout: 'shared' }, 'checkout'],
    [{ baseRef: '' }, 'baseRef'],
    [{ fromUncommitted: 'yes' }, 'fromUncommitted'],
    [{ model: '' }, 'model'],
    [{ budgetMicroUsd: 0 }, 'budgetMicroUsd'],
    [{ budgetMicroUsd: -1 }, 'budgetMicroUsd'],
    [{ budgetMicroUsd: '5' }, 'budgetMicroUsd'],
  ])('launches nothing: %#', async (over, field) => {
    const runnerId = field === 'runnerId' ? undefined : home.runner.runnerId;
    const answer = await post('/v1/sessions', { runnerId, ...launch, ...over });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request']);
    expect(detailOf(answer)).toContain(field);
  });

  it.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: ' \n\t' }, 'text'],
    [{ text: 7 }, 'text'],
    [{ text: 'x', turnId: 'ses_1' }, 'turnId'],
  ])('instructs nothing: %j', async (body, field) => {
    const answer = await post(session('/instructions'), body);
    expect(codeOf(answer)).toBe('bad_request');
    expect(detailOf(answer)).toContain(field);
  });

  it.each([
    {},
    { decision: 'maybe' },
    { decision: 'deny', message: 'x'.repeat(10_001) },
    { decision: 'allow', answers: ['a'] },
    { decision: 'allow', suggestion: -1 },
  ])('answers nothing: %#', async (body) => {
    expect(codeOf(await post(session('/approvals/apr_1'), body))).toBe('bad_request');
  });

  it.each([{}, { token: '' }, { token: 'x'.repeat(201) }, { token: 5 }])(
    'signs nobody in: %#',
    async (body) => {
      const answer = await ask('POST', '/v1/sign-in', { body });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );

  it.each([{}, { name: '' }, { name: 'x'.repeat(101) }])(
    'makes no token and no machine: %#',
    async (body) => {
      expect(codeOf(await post('/v1/cli-tokens', body, HOST_TOKEN))).toBe('bad_request');
      expect(codeOf(await post('/v1/runners', body, HOST_TOKEN))).toBe('bad_request');
    },
  );

  it.each(['[]', '"text"', 'null', '{"text":', '\u0000'])(
    'is refused when it is %j',
    async (body) => {
      const response = await exports.default.fetch(`http://${HOST}${session('/instructions')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${home.cli}`, 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(400);
      expect(errorBody.parse(await response.json()).error.code).toBe('bad_request');
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is refused as %s, which a form of another site could send',
    async (type) => {
      const response = await exports.default.fetch(`http://${HOST}${session('/instructions')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${home.cli}`, 'content-type': type },
        body: '{"text":"x"}',
      });
      expect(response.status).toBe(400);
    },
  );
});

describe('a method that a route does not have', () => {
  it.each([
    ['DELETE', '/v1/sessions/ses_1'],
    ['PUT', '/v1/runners/run_1'],
    ['PATCH', '/v1/usage'],
    ['GET', '/v1/sign-in'],
    ['POST', '/v1/health'],
    ['GET', '/v1/sessions/ses_1/instructions'],
  ])('%s %s is nothing', async (method, path) => {
    const answer = await ask(method, path, { bearer: home.cli });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  });
});

describe('an address that is a socket', () => {
  it.each([
    [() => session('/socket'), () => home.cli],
    [() => `/v1/runners/${home.runner.runnerId}/link`, () => home.runner.token],
  ])('is refused without an upgrade: %#', async (path, bearer) => {
    const answer = await ask('GET', path(), { bearer: bearer() });
    expect([answer.status, detailOf(answer)]).toEqual([400, 'this address is a WebSocket']);
  });
});

describe('a credential in the wrong place', () => {
  it.each(['', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'bearer  a b'])(
    'is nobody’s: %j',
    async (authorization) => {
      const answer = await ask('GET', '/v1/me', { headers: { authorization } });
      expect(codeOf(answer)).toBe('unauthenticated');
    },
  );

  it('in the address is not looked at', async () => {
    expect(codeOf(await ask('GET', `/v1/me?token=${home.cli}`))).toBe('unauthenticated');
  });

  it('that is wrong is not saved by a cookie that is right', async () => {
    const cookie = await signIn();
    const answer = await ask('GET', '/v1/me', { cookie, bearer: 'guessed' });
    expect(codeOf(answer)).toBe('unauthenticated');
  });
});

describe('every refusal', () => {
  it.each([
    ['/v1/me', {}],
    ['/v1/nothing', {}],
    ['/v1/sessions?limit=0', { bearer: true }],
    ['/v1/sessions/ses_nowhere', { bearer: true }],
  ])(
    'of %s has its status, its sentence and a request id',
    async (path, { bearer }: { bearer?: boolean }) => {
      const answer = await ask('GET', path, bearer ? { bearer: home.cli } : {});
      const { error } = errorBody.parse(answer.body);
      expect(answer.status).toBe(ERRORS[error.code].status);
      expect(error.message.startsWith(ERRORS[error.code].sentence)).toBe(true);
      expect(error.retryable).toBe(ERRORS[error.code].retryable);
      expect(error.requestId).toBe(answer.headers.get('x-request-id'));
    },
  );

  it('tells nothing of how the inside is made', async () => {
    for (const path of [
      '/v1/sessions/ses_nowhere',
      `/v1/acts?cursor=1~'`,
      '/v1/sessions?cursor=x~y',
    ])
      expect(JSON.stringify((await get(path)).body)).not.toMatch(/SQLITE|drizzle|\.ts:|stack/i);
  });
});
