// @vitest-environment node
import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  accessQuery,
  actsQuery,
  approvalsQuery,
  auditReportQuery,
  breachesQuery,
  heldOperatorsQuery,
  WHOLE_MAX,
} from '../../../console/api/audit.ts';
import { repositoriesQuery } from '../../../console/api/decisions.ts';
import {
  checkoutsQuery,
  sessionsQuery,
  usageQuery,
  usageSummaryQuery,
} from '../../../console/api/queries.ts';
import { listMockApprovals } from '../../../console/mock/audit.ts';
import { MockRecord } from '../../../console/mock/record.ts';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { scriptFetch } from './scripted-fetch.ts';

const WINDOW = { from: 1_000, to: 2_000 };
const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

afterEach(() => vi.unstubAllGlobals());

/** Reads up to so many pages of a list; answers how many there were. */
async function readPages(query: object, pages: number): Promise<number> {
  const data = await newClient().fetchInfiniteQuery({ ...query, pages } as never);
  return data.pages.length;
}

it('operators that are held are asked for alone and to the last, so that no session hides one', async () => {
  const asked = scriptFetch((_asked, before) => ({
    items: [],
    nextCursor: before < 1 ? 'after-1' : null,
  }));
  expect(await newClient().fetchQuery(heldOperatorsQuery)).toEqual([]);
  expect(asked.map(({ query }) => query)).toMatchObject([
    { open: 'true', doer: 'operator' },
    { open: 'true', doer: 'operator', cursor: 'after-1' },
  ]);
});

describe('a list that comes in pages', () => {
  it.each([
    ['sessions', sessionsQuery, {}],
    ['usage', usageQuery(WINDOW), { from: '1000', to: '2000' }],
    ['groups of usage', usageSummaryQuery('session', WINDOW), { by: 'session', from: '1000' }],
    ['checkouts', checkoutsQuery('run_a'), { limit: '20' }],
    ['repositories', repositoriesQuery, {}],
    ['acts', actsQuery({ kind: 'push' }), { kind: 'push' }],
    ['breaches', breachesQuery({ sessionId: 'ses_a' }), { sessionId: 'ses_a' }],
    ['approvals', approvalsQuery({ from: 5 }), { from: '5' }],
    ['accesses', accessQuery({}), {}],
  ])(
    'of %s goes on where its page ended, with the same filter, to its end',
    async (_, query, filter) => {
      const empty = { items: [], by: 'session', totals: {}, groups: [] };
      const asked = scriptFetch((_asked, before) => ({
        ...empty,
        nextCursor: before < 2 ? `after-${before + 1}` : null,
      }));
      expect(await readPages(query, 10)).toBe(3);
      expect(asked.map(({ query: { cursor } }) => cursor)).toEqual([
        undefined,
        'after-1',
        'after-2',
      ]);
      for (const { query: sent } of asked) expect(sent).toMatchObject(filter);
    },
  );
});

describe('the ledgers of a time as one report', () => {
  const record = new MockRecord(sessionId.parse('ses_a'), eventsUntilApproval(), 1_500);
  const [row] = listMockApprovals([record]);
  /** A ledger of so many pages of 500 approvals, and nothing in the others. */
  const openReport = async (pages: number) => {
    const asked = scriptFetch(({ path }, before) =>
      path.endsWith('/approvals')
        ? { items: Array(500).fill(row), nextCursor: before < pages - 1 ? 'more' : null }
        : { items: [], nextCursor: null },
    );
    const report = await newClient().fetchQuery(auditReportQuery(WINDOW));
    return { report, asked: asked.filter(({ path }) => path.endsWith('/approvals')) };
  };

  it('holds every row of every page, and says that it is all of them', async () => {
    const { report, asked } = await openReport(2);
    expect(report.approvals).toHaveLength(1_000);
    expect(report).toMatchObject({ acts: [], breaches: [], more: false });
    expect(asked.map(({ query }) => query)).toEqual([
      { limit: '500', from: '1000', to: '2000' },
      { limit: '500', from: '1000', to: '2000', cursor: 'more' },
    ]);
  });

  it('stops where a page can show no more, and says that there is more', async () => {
    const { report, asked } = await openReport(9);
    expect(report.approvals).toHaveLength(WHOLE_MAX);
    expect(report.more).toBe(true);
    expect(asked).toHaveLength(4);
  });

  it('that just fits is whole', async () => {
    const { report } = await openReport(4);
    expect(report.approvals).toHaveLength(WHOLE_MAX);
    expect(report.more).toBe(false);
  });

  it('fails as a whole when one of its ledgers cannot be read', async () => {
    scriptFetch(({ path }) =>
      path.endsWith('/breaches') ? { oops: 1 } : { items: [], nextCursor: null },
    );
    await expect(newClient().fetchQuery(auditReportQuery(WINDOW))).rejects.toMatchObject({
      code: 'unreadable',
    });
  });
});
