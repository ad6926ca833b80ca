import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { postedOutcome, reportDetail, reportPage } from '../../../protocol/decisions.ts';
import { aFinding, aRecord, aReport, aRule } from '../../support/adr-reports.ts';
import { listRepositories, makeDecisionKey, post } from '../support/decisions.ts';
import { type Answer, ask, codeOf, HOST_TOKEN, makeCliToken, startEmpty } from '../support/http.ts';
import { signIn } from '../support/http.ts';

const DAY = 24 * 60 * 60_000;
const T = 1_700_000_000_000;
let cli: string;
let token: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
  ({ token } = await makeDecisionKey(cli));
});

const outcomeOf = (answer: Answer) => postedOutcome.parse(answer.body);
const read = (reportId: string | null) =>
  ask('GET', `/v1/decisions/reports/${reportId}`, { bearer: cli });
const latest = async (branch = 'main') =>
  (await listRepositories(cli))[0]?.branches.find((one) => one.branch === branch);

describe('a posted report', () => {
  it('is kept, and read back as it was', async () => {
    const findings = [aFinding()];
    const records = [aRecord({ rules: [aRule({ state: 'violated', findings })] })];
    const { outcome, reportId } = outcomeOf(await post(token, { records, exitCode: 1 }));
    expect(outcome).toBe('kept');
    const detail = reportDetail.parse((await read(reportId)).body);
    expect(detail.report).toEqual(aReport({ records, exitCode: 1 }));
    expect(detail.summary).toMatchObject({
      repository: 'acme/site',
      branch: 'main',
      exitCode: 1,
      counts: { records: 1, violated: 1, couldNotCheck: 0, findings: 1, waived: 0 },
    });
  });

  it('is of the repository that its key is for, whatever it says', async () => {
    const other = await makeDecisionKey(cli, 'acme/app');
    await post(other.token);
    const body = { ...aReport({ startedAt: T + 1 }), repository: 'acme/app' };
    await ask('POST', '/v1/decisions/reports?branch=main&repository=acme/app', {
      bearer: token,
      body,
    });
    const repositories = await listRepositories(cli);
    expect(repositories.map((one) => [one.repository, one.branches[0]?.latest.startedAt])).toEqual([
      ['acme/app', T],
      ['acme/site', T + 1],
    ]);
  });

  it('is logged as an access of the key, by name', async () => {
    await post(token);
    const row = await env.DB.prepare('SELECT * FROM access_log ORDER BY rowid DESC').first();
    expect(row).toMatchObject({
      operation: 'decisionReports.post',
      principal_kind: 'decisionKey',
      principal_name: 'CI of acme/site',
      target: '/v1/decisions/reports',
      status: 200,
    });
  });

  it('is not kept for anybody but a key of a build', async () => {
    const cookie = await signIn();
    const body = aReport();
    const asked = (options: Parameters<typeof ask>[2]) =>
      ask('POST', '/v1/decisions/reports?branch=main', { ...options, body });
    for (const options of [{ bearer: cli }, { bearer: HOST_TOKEN }, { cookie }])
      expect(codeOf(await asked(options))).toBe('forbidden');
    for (const options of [{}, { bearer: `phd_${'a'.repeat(43)}` }, { bearer: `${token}x` }])
      expect(codeOf(await asked(options))).toBe('unauthenticated');
    expect((await listRepositories(cli))[0]?.branches).toEqual([]);
  });
});

describe('posting again', () => {
  it('is no second report: the first of a commit and a start stands', async () => {
    const first = outcomeOf(await post(token));
    const again = outcomeOf(await post(token, { exitCode: 2, records: [] }));
    expect(again).toEqual({ outcome: 'known', reportId: first.reportId });
    const detail = reportDetail.parse((await read(first.reportId)).body);
    expect(detail.summary.exitCode).toBe(0);
  });

  it('by many at the same moment keeps one', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(token)));
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter(({ outcome }) => outcome === 'kept')).toHaveLength(1);
    expect(new Set(outcomes.map(({ reportId }) => reportId)).size).toBe(1);
  });

  it('of another start, another commit or another repository is another report', async () => {
    const other = await makeDecisionKey(cli, 'acme/app');
    const answers = [
      await post(token),
      await post(token, { startedAt: T + 1 }),
      await post(token, { commit: 'feedface' }),
      await post(token, { commit: null }),
      await post(other.token),
    ];
    expect(answers.map((answer) => outcomeOf(answer).outcome)).toEqual(Array(5).fill('kept'));
  });
});

describe('the last result of a branch', () => {
  it('is of the check that began last, also when an older one is posted late', async () => {
    await post(token, { startedAt: T + DAY, commit: 'newer' });
    await post(token, { startedAt: T, commit: 'older', exitCode: 1 });
    expect((await latest())?.latest).toMatchObject({ commit: 'newer', exitCode: 0 });
  });

  it('is one for each branch, the main one first', async () => {
    await post(token, { startedAt: T }, 'main');
    await post(token, { startedAt: T + 2 }, 'feature/b');
    await post(token, { startedAt: T + 1 }, 'feature/a');
    const [repository] = await listRepositories(cli);
    expect(repository?.branches.map(({ branch }) => branch)).toEqual([
      'main',
      'feature/b',
      'feature/a',
    ]);
  });

  it('has the last full check beside a change-only one', async () => {
    await post(token, { startedAt: T, commit: 'full' });
    await post(token, { startedAt: T + 1, commit: 'part', mode: 'change', base: 'main' });
    const main = await latest();
    expect([main?.latest.commit, main?.latestFull?.commit]).toEqual(['part', 'full']);
    await post(token, { mode: 'change' }, 'side');
    expect((await latest('side'))?.latestFull).toBeNull();
  });

  it('is in the list of all kept ones, in pages, each once', async () => {
    for (const at of [3, 1, 2]) await post(token, { startedAt: T + at });
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `?repository=acme/site&branch=main&limit=2${cursor && `&cursor=${cursor}`}`;
      const answer = await ask('GET', `/v1/decisions/reports${query}`, { bearer: cli });
      const page = reportPage.parse(answer.body);
      seen.push(...page.items.map(({ startedAt }) => startedAt - T));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([3, 2, 1]);
  });
});

describe('a report that is refused', () => {
  const send = (body: string, query = '?branch=main') =>
    exports.default
      .fetch(`http://pilothouse.test/v1/decisions/reports${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body,
      })
      .then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      }));
  const count = async () =>
    (await env.DB.prepare('SELECT count(*) AS n FROM decision_reports').first<{ n: number }>())?.n;

  it.each([
    ['{', 'no JSON'],
    ['[]', 'no object'],
    [JSON.stringify({ ...aReport(), format: 2 }), 'of another format'],
    [JSON.stringify({ ...aReport(), exitCode: 3 }), 'of an exit code that is none'],
    [JSON.stringify({ ...aReport(), records: [{ id: '0001' }] }), 'of half a record'],
    [JSON.stringify({ ...aReport(), commit: 'a'.repeat(101) }), 'of a commit that is none'],
  ])('is %.40s… which is %s', async (body) => {
    const answer = await send(body);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request']);
    expect(await count()).toBe(0);
  });

  it.each(['', '?branch=', '?branch=a%20b', '?branch=a%0ab', `?branch=${'b'.repeat(256)}`])(
    'has no branch that git could have: %j',
    async (query) => {
      expect(codeOf(await send(JSON.stringify(aReport()), query))).toBe('bad_request');
    },
  );

  it('is larger than is kept of one, and says so, by its length or by its end', async () => {
    const excerpt = 'x'.repeat(1_900_000);
    const rules = [aRule({ findings: [aFinding({ excerpt })] })];
    const answer = await send(JSON.stringify(aReport({ records: [aRecord({ rules })] })));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'report_too_large']);
    expect(JSON.stringify(answer.body)).toContain('1,900,000 bytes');
    const larger = await send(`"${'x'.repeat(3_000_000)}"`);
    expect(codeOf(larger)).toBe('report_too_large');
    expect(await count()).toBe(0);
  });

  it('of nearly the largest size is kept whole', async () => {
    const excerpt = 'é'.repeat(949_000);
    const rules = [aRule({ findings: [aFinding({ excerpt })] })];
    const { reportId } = outcomeOf(await post(token, { records: [aRecord({ rules })] }));
    const detail = reportDetail.parse((await read(reportId)).body);
    expect(detail.report.records[0]?.rules[0]?.findings[0]?.excerpt).toHaveLength(949_000);
  });

  it('began in the future, where it would hide every later one', async () => {
    const answer = await post(token, { startedAt: Date.now() + DAY });
    expect(codeOf(answer)).toBe('report_from_future');
    expect(await count()).toBe(0);
  });

  it('belongs to another account, which is the same as not being there', async () => {
    const { reportId } = outcomeOf(await post(token));
    await env.DB.exec(
      `INSERT INTO decision_reports SELECT 'drp_theirs', 'acc_other', actor_id, key_id, repository,
         branch, commit_sha, mode, exit_code, tool_version, started_at + 1, received_at, counts, report
       FROM decision_reports WHERE report_id = '${reportId}'`.replaceAll('\n', ' '),
    );
    expect(codeOf(await read('drp_theirs'))).toBe('decision_report_not_found');
    expect((await latest())?.latest.startedAt).toBe(T);
  });
});

describe('a kept report', () => {
  it('is not changed and not replaced by anybody', async () => {
    await post(token);
    await expect(env.DB.exec('UPDATE decision_reports SET exit_code = 2')).rejects.toThrow(
      /not changed/,
    );
    await env.DB.exec('INSERT OR REPLACE INTO decision_reports SELECT * FROM decision_reports');
    expect((await latest())?.latest.exitCode).toBe(0);
  });
});
