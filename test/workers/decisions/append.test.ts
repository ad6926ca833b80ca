import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, LOCAL_ACTOR, decisionKeyId } from '../../../protocol/ids.ts';
import {
  appendReport,
  CLOCK_TOLERANCE_MS,
  KEPT_PER_BRANCH,
  KEPT_PER_REPOSITORY,
} from '../../../workers/decisions/append.ts';
import { listRepositories } from '../../../workers/decisions/list-repositories.ts';
import { aReport } from '../../support/adr-reports.ts';
import { database } from '../support/ledger.ts';
import { startEmpty } from '../support/http.ts';

const NOW = 1_800_000_000_000;
const poster = (repository = 'acme/site') => ({
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  keyId: decisionKeyId.parse('dky_1'),
  repository,
});
const append = (startedAt: number, branch = 'main', repository = 'acme/site') =>
  appendReport(database(), poster(repository), branch, aReport({ startedAt }), NOW);

/** Fills a branch with reports that began at 1, 2, 3 …, past the route: many are needed. */
const fill = (branch: string, count: number, from = 1) =>
  env.DB.exec(
    `INSERT INTO decision_reports WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})
     SELECT 'drp_' || '${branch}' || i, 'acc_local', 'usr_local', 'dky_1', 'acme/site', '${branch}', '${branch}', 'full', 0, '1', i, 1,
       '{"records":0,"violated":0,"couldNotCheck":0,"findings":0,"waived":0}', '{}' FROM n`.replaceAll(
      '\n',
      ' ',
    ),
  );
const kept = async (where = '1 = 1') =>
  (
    await env.DB.prepare(
      `SELECT started_at FROM decision_reports WHERE ${where} ORDER BY started_at`,
    ).all<{ started_at: number }>()
  ).results.map((row) => row.started_at);

beforeEach(startEmpty);

describe('how many reports are kept', () => {
  it('is the last fifty of a branch, by when their check began', async () => {
    await fill('main', KEPT_PER_BRANCH);
    expect((await append(1_000)).outcome).toBe('kept');
    const times = await kept();
    expect([times.length, times[0], times.at(-1)]).toEqual([KEPT_PER_BRANCH, 2, 1_000]);
  });

  it('does not let an older run push out a newer one, and says that it was not kept', async () => {
    await fill('main', KEPT_PER_BRANCH, 100);
    expect(await append(5)).toEqual({ outcome: 'too_old', reportId: null });
    expect((await kept())[0]).toBe(100);
  });

  it('counts each branch and each repository by itself', async () => {
    await fill('main', KEPT_PER_BRANCH);
    await append(1, 'side');
    await append(1, 'main', 'acme/app');
    expect(await kept()).toHaveLength(KEPT_PER_BRANCH + 2);
  });

  it('is bounded over all branches, where the last of each branch goes after all others', async () => {
    await fill('quiet', 1);
    for (let branch = 0; branch < KEPT_PER_REPOSITORY / KEPT_PER_BRANCH; branch++)
      await fill(`busy${branch}`, KEPT_PER_BRANCH, 10);
    await append(10_000, 'another');
    expect(await kept()).toHaveLength(KEPT_PER_REPOSITORY);
    expect(await kept(`branch = 'quiet'`)).toEqual([1]);
    expect(await kept(`branch = 'another'`)).toEqual([10_000]);
  });
});

describe('the clock of a build', () => {
  it('may be a little ahead and not more', async () => {
    expect((await append(NOW + CLOCK_TOLERANCE_MS)).outcome).toBe('kept');
    await expect(append(NOW + CLOCK_TOLERANCE_MS + 1)).rejects.toMatchObject({
      code: 'report_from_future',
    });
  });
});

describe('the list of repositories', () => {
  it('tells thirty branches and how many there are beside', async () => {
    for (let branch = 0; branch < 33; branch++) await append(branch + 1, `b${branch}`);
    const { items } = await listRepositories(database(), LOCAL_ACCOUNT, { limit: 10 });
    expect([items[0]?.branches.length, items[0]?.moreBranches]).toEqual([30, 3]);
    expect(items[0]?.branches[0]?.branch).toBe('b32');
  });

  it('comes in pages by name, without one twice', async () => {
    for (const name of ['c', 'a', 'b']) await append(1, 'main', name);
    const first = await listRepositories(database(), LOCAL_ACCOUNT, { limit: 2 });
    const cursor = first.nextCursor ?? '';
    const second = await listRepositories(database(), LOCAL_ACCOUNT, { limit: 2, cursor });
    expect([...first.items, ...second.items].map(({ repository }) => repository)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('is empty where nothing was posted and no key was made', async () => {
    const page = await listRepositories(database(), LOCAL_ACCOUNT, { limit: 10 });
    expect(page).toEqual({ items: [], nextCursor: null });
  });
});
