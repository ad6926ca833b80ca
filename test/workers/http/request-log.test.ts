import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { AppTypes } from '../../../workers/http/context.ts';
import { onError } from '../../../workers/http/on-error.ts';
import { requestLog } from '../../../workers/http/request-log.ts';

let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
  for (const method of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line: unknown) => {
      lines.push(JSON.parse(String(line)));
    });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const app = new Hono<AppTypes>();
app.use(requestLog);
app.onError(onError);
app.get('/v1/known', (context) => {
  context.set('operation', 'things.list');
  context.set('principal', {
    kind: 'cli',
    name: 'my laptop',
    accountId: LOCAL_ACCOUNT,
    actorId: LOCAL_ACTOR,
    runnerId: null,
    decisions: null,
    tokenHash: 'hash-sentinel',
    expiresAt: null,
  });
  return context.json({ secret: 'body-sentinel' });
});
app.get('/v1/refused', (context) => {
  context.set('operation', 'things.read');
  throw new PilothouseError('session_not_found', { sessionId: 'ses_1' });
});
app.get('/v1/broken', () => {
  throw new Error('the disk is gone', { cause: new Error('cable') });
});
app.get('/assets/app.js', (context) => context.text('x'));

describe('the line about a request', () => {
  it('says which operation ended how, by whom, and nothing of what was said', async () => {
    await app.request('/v1/known?token=query-sentinel', {
      headers: { authorization: 'Bearer token-sentinel' },
    });
    expect(lines).toEqual([
      {
        level: 'info',
        operation: 'things.list',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'GET',
        status: 200,
        durationMs: expect.any(Number),
        principal: 'cli',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('sentinel');
  });

  it('has the code of a refusal, which is no fault', async () => {
    await app.request('/v1/refused');
    expect(lines).toMatchObject([
      { level: 'info', operation: 'things.read', status: 404, code: 'session_not_found' },
    ]);
  });

  it('of a fault stands beside its cause, under the id that the caller is told', async () => {
    const answer = await app.request('/v1/broken');
    const text = await answer.text();
    const [fault, ended] = lines;
    expect(fault).toMatchObject({
      level: 'error',
      operation: 'http.fault',
      fault: 'Error: the disk is gone; because of Error: cable',
    });
    expect(ended).toMatchObject({ level: 'error', status: 500, code: 'internal' });
    expect(fault?.['requestId']).toBe(ended?.['requestId']);
    expect(JSON.parse(text)).toMatchObject({ error: { requestId: ended?.['requestId'] } });
    expect(text).not.toMatch(/disk|cable/);
  });

  it('is named as unmatched where the API has no such address', async () => {
    await app.request('/v1/nothing');
    expect(lines).toMatchObject([{ operation: 'http.unmatched', status: 404 }]);
  });

  it('is none for the files of the console', async () => {
    await app.request('/assets/app.js');
    expect(lines).toEqual([]);
  });

  it('has an id of its own for every request', async () => {
    for (const _ of [1, 2, 3]) await app.request('/v1/known');
    expect(new Set(lines.map((line) => line['requestId'])).size).toBe(3);
  });
});
