import { beforeEach, describe, expect, it } from 'vitest';
import { accessPage, approvalPage } from '../../../protocol/audit.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { accountId, LOCAL_ACCOUNT, LOCAL_ACTOR, requestId } from '../../../protocol/ids.ts';
import { listAccess } from '../../../workers/access/read-log.ts';
import { listApprovals } from '../../../workers/ledger/read-approvals.ts';
import { anApproval } from '../../support/transcript-events.ts';
import { ask, codeOf, makeCliToken, signIn, startEmpty } from '../support/http.ts';
import { database, project, type Recorded, sessionNamed } from '../support/ledger.ts';

let cli: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});
const get = (path: string) => ask('GET', path, { bearer: cli });
const list = async (query = '') =>
  approvalPage.parse((await get(`/v1/approvals${query}`)).body).items;

const asked = (at: number, id: string): Recorded => ({
  at,
  event: {
    type: 'approval/requested',
    request: anApproval({ requestId: requestId.parse(id), toolName: 'Bash', acts: ['push'] }),
  },
});
const answered = (
  at: number,
  id: string,
  decision: 'allow' | 'deny',
  channel = 'console',
): Recorded => ({
  at,
  event: {
    type: 'approval/decided',
    requestId: requestId.parse(id),
    answer: { decision, message: null, answers: null, suggestion: null },
    actorId: LOCAL_ACTOR,
    channel,
  },
});
const resolved = (
  at: number,
  id: string,
  resolution: (FeedEvent & { type: 'approval/resolved' })['resolution'],
): Recorded => ({
  at,
  event: { type: 'approval/resolved', requestId: requestId.parse(id), resolution },
});

describe('approvals', () => {
  it('tell what was asked, who answered from where and when, and what became of it', async () => {
    await project('a', [
      asked(1_000, 'apr_1'),
      answered(2_000, 'apr_1', 'allow', 'cli'),
      resolved(3_000, 'apr_1', 'allowed'),
    ]);
    expect(await list()).toMatchObject([
      {
        requestId: 'apr_1',
        sessionId: sessionNamed('a'),
        sessionTitle: 'Fix the test',
        toolName: 'Bash',
        acts: ['push'],
        requestedAt: 1_000,
        answer: { decision: 'allow', actorId: LOCAL_ACTOR, channel: 'cli', at: 2_000 },
        resolution: { outcome: 'allowed', at: 3_000 },
      },
    ]);
  });

  it('that nobody answered say so, whether they expired or still wait', async () => {
    await project('a', [asked(1, 'apr_1'), resolved(2, 'apr_1', 'expired'), asked(3, 'apr_2')]);
    expect((await list()).map(({ answer, resolution }) => [answer, resolution?.outcome])).toEqual([
      [null, undefined],
      [null, 'expired'],
    ]);
  });

  it('tell the last word where somebody answered twice', async () => {
    await project('a', [
      asked(1, 'apr_1'),
      answered(2, 'apr_1', 'deny'),
      answered(3, 'apr_1', 'allow'),
    ]);
    expect((await list())[0]?.answer).toMatchObject({ decision: 'allow', at: 3 });
  });

  it('keep the requests of two sessions apart that share an id', async () => {
    await project('a', [asked(1, 'apr_1'), answered(2, 'apr_1', 'deny')]);
    await project('b', [asked(1, 'apr_1')]);
    expect((await list()).map(({ sessionId, answer }) => [sessionId, answer?.decision])).toEqual([
      [sessionNamed('b'), undefined],
      [sessionNamed('a'), 'deny'],
    ]);
  });

  it('come in pages without a gap, of a session or a time alone', async () => {
    const events = Array.from({ length: 7 }, (_, index) => asked(100, `apr_${index}`));
    await project('a', events);
    await project('b', [asked(200, 'apr_9')]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listApprovals(database(), LOCAL_ACCOUNT, { cursor, limit: 3 });
      seen.push(...page.items.map((row) => row.requestId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
    expect(await list(`?sessionId=${sessionNamed('b')}`)).toHaveLength(1);
    expect(await list('?to=200')).toHaveLength(7);
    expect(await list('?from=200')).toHaveLength(1);
  });

  it('are nothing of another account', async () => {
    await project('a', [asked(1, 'apr_1')]);
    const other = accountId.parse('acc_other');
    expect((await listApprovals(database(), other, { limit: 9 })).items).toEqual([]);
  });

  it('are a file too, with who answered from where in columns of their own', async () => {
    await project('a', [asked(1_000, 'apr_1'), answered(2_000, 'apr_1', 'deny', 'cli')]);
    const [head, line] = String((await get('/v1/approvals/export')).body).split('\r\n');
    expect(head).toMatch(
      /,decision,answered_by,answered_from,answered_at,outcome,chain_link,chain_hash$/,
    );
    expect(line).toMatch(/,push,deny,usr_local,cli,1970-01-01T00:00:02\.000Z,,1,[0-9a-f]{64}$/);
  });
});

describe('the access log', () => {
  it('lists who did what to what and how it ended, the newest first', async () => {
    await ask('POST', '/v1/sessions/ses_none/stop', { bearer: cli, body: {} });
    const { items } = accessPage.parse((await get('/v1/access')).body);
    expect(items[0]).toMatchObject({
      principalKind: 'cli',
      principalName: 'test',
      operation: 'sessions.stop',
      target: '/v1/sessions/ses_none/stop',
      status: 404,
      errorCode: 'session_not_found',
    });
    expect(items.at(-1)?.operation).toBe('cliTokens.make');
  });

  it('holds no token, and grows by no reading', async () => {
    await get('/v1/access');
    const text = JSON.stringify((await get('/v1/access')).body);
    expect(text).not.toContain(cli);
    expect(accessPage.parse(JSON.parse(text)).items).toHaveLength(1);
  });

  it('comes in pages without a gap, and of a time alone', async () => {
    for (let index = 0; index < 4; index++)
      await ask('POST', '/v1/links', { bearer: cli, body: {} });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAccess(database(), LOCAL_ACCOUNT, { cursor, limit: 2 });
      seen.push(...page.items.map((row) => row.requestId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(5);
    const later = Date.now() + 60_000;
    expect(accessPage.parse((await get(`/v1/access?from=${later}`)).body).items).toEqual([]);
    const other = accountId.parse('acc_other');
    expect((await listAccess(database(), other, { limit: 9 })).items).toEqual([]);
  });

  it('is a file too, for a person as for their command line', async () => {
    const answer = await ask('GET', '/v1/access/export', { cookie: await signIn() });
    expect(answer.headers.get('content-disposition')).toContain('pilothouse-access.csv');
    expect(String(answer.body)).toContain('cliTokens.make');
    expect(codeOf(await ask('GET', '/v1/access/export'))).toBe('unauthenticated');
  });
});
