import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACT_KINDS, type ActKind } from '../../../protocol/act.ts';
import { accountId, actId, LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { listActs } from '../../../workers/ledger/read-acts.ts';
import { listUsage } from '../../../workers/ledger/read-usage.ts';
import type { Page } from '../../../workers/lib/page.ts';
import { listSessions } from '../../../workers/sessions/read.ts';
import { aUsage, TURN } from '../../support/protocol-builders.ts';
import { anAct } from '../../support/transcript-events.ts';
import { startEmpty } from '../support/http.ts';
import { database, project, type Recorded, sessionNamed } from '../support/ledger.ts';

const COUNT = 23;
/** Times that many rows share, so that a cursor by time alone would lose some. */
const timeOf = (index: number) => 1_000 + Math.floor(index / 5);
const kindOf = (index: number): ActKind => ACT_KINDS[index % 3] ?? 'push';

type List<Row> = (query: { cursor?: string; limit: number }) => Promise<Page<Row>>;

/** Every row by pages of one size; fails when the pages do not end. */
async function readAll<Row>(list: List<Row>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 100; pages++) {
    const page = await list({ limit, ...(cursor === undefined ? {} : { cursor }) });
    if (page.nextCursor !== null && page.items.length !== limit)
      throw new Error(`a page that is not the last has ${page.items.length} of ${limit} rows`);
    rows.push(...page.items);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
  }
  throw new Error('the pages did not end');
}

beforeAll(async () => {
  await startEmpty();
  const events = Array.from({ length: COUNT }, (_, index): Recorded[] => [
    {
      at: timeOf(index),
      event: {
        type: 'usage/recorded',
        turnId: TURN,
        entries: [aUsage({ microUsd: index, model: index % 2 ? 'a' : 'b' })],
      },
    },
    {
      at: timeOf(index),
      event: {
        type: 'act/seen',
        act: anAct({ actId: actId.parse(`act_${index}`), kind: kindOf(index) }),
      },
    },
  ]);
  await project('main', events.flat());
  await project('other', (events[0] ?? []).concat(events[7] ?? []));
  for (let index = 0; index < COUNT; index++)
    await project(`listed${index}`, [], { createdAt: timeOf(index) });
  await project('foreign', events[3] ?? [], { accountId: accountId.parse('acc_other') });
});

const lists: Record<string, List<{ key: string; at: number }>> = {
  usage: async (query) => {
    const page = await listUsage(database(), LOCAL_ACCOUNT, query);
    const items = page.items.map((row) => ({
      key: `${row.sessionId} ${row.microUsd}`,
      at: row.at,
    }));
    return { ...page, items };
  },
  acts: async (query) => {
    const page = await listActs(database(), LOCAL_ACCOUNT, query);
    return {
      ...page,
      items: page.items.map((row) => ({ key: `${row.sessionId} ${row.actId}`, at: row.at })),
    };
  },
  sessions: async (query) => {
    const page = await listSessions(database(), LOCAL_ACCOUNT, query);
    return {
      ...page,
      items: page.items.map((row) => ({ key: row.sessionId, at: row.createdAt })),
    };
  },
};

describe.each(Object.entries(lists))('pages of %s', (_name, list) => {
  it('are of any size the whole list, in one order, without a row twice', async () => {
    const whole = await list({ limit: 500 });
    expect(whole.nextCursor).toBeNull();
    expect(whole.items.length).toBe(COUNT + 2);
    expect(new Set(whole.items.map(({ key }) => key)).size).toBe(COUNT + 2);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: COUNT + 5 }), async (limit) => {
        expect(await readAll(list, limit)).toEqual(whole.items);
      }),
      { numRuns: 6, examples: [[1], [COUNT + 2], [COUNT + 1]] },
    );
  });

  it('begin with the newest', async () => {
    const times = (await list({ limit: 500 })).items.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
  });

  it('end with a page that may be full and has no cursor', async () => {
    expect((await list({ limit: COUNT + 2 })).nextCursor).toBeNull();
    expect((await list({ limit: COUNT + 1 })).nextCursor).not.toBeNull();
  });

  it.each(['', 'x', '~', '1~', '1~2~3~4', 'NaN~ses_1', '1.5~x', 'Infinity~x'])(
    'refuse the cursor %j',
    async (cursor) => {
      await expect(list({ cursor, limit: 5 })).rejects.toMatchObject({ code: 'bad_request' });
    },
  );
});

describe('a cursor', () => {
  it.each([
    ['acts', `1000~' OR 1=1 --~x`],
    ['sessions', `1000~' OR 1=1 --`],
  ])('of %s is taken for a place and never for SQL', async (name, cursor) => {
    const page = await lists[name]?.({ cursor, limit: 500 });
    expect(page?.items.every(({ at }) => at <= 1_000)).toBe(true);
  });
});

describe('pages of one session or kind', () => {
  it('hold its own rows alone, over every page', async () => {
    const sessionId = sessionNamed('other');
    const usage = await readAll(
      (query) => listUsage(database(), LOCAL_ACCOUNT, { ...query, sessionId }),
      1,
    );
    expect(usage.map((row) => [row.sessionId, row.microUsd])).toEqual([
      [sessionId, 7],
      [sessionId, 0],
    ]);
  });

  it.each(['merge', 'push', 'force_push'] as const)('of %s hold that kind alone', async (kind) => {
    const acts = await readAll(
      (query) => listActs(database(), LOCAL_ACCOUNT, { ...query, kind }),
      2,
    );
    expect(new Set(acts.map((act) => act.kind))).toEqual(new Set([kind]));
    expect(acts.length).toBeGreaterThan(6);
  });

  it('of a range have what is in it, over every page', async () => {
    const range = { from: 1_001, to: 1_003 };
    const rows = await readAll(
      (query) => listUsage(database(), LOCAL_ACCOUNT, { ...query, ...range }),
      3,
    );
    expect(new Set(rows.map(({ at }) => at))).toEqual(new Set([1_002, 1_001]));
    expect(rows).toHaveLength(11);
  });
});

describe('a row that comes while somebody pages', () => {
  it('is not shown in what is left, and nothing is shown twice', async () => {
    const list: List<{ sessionId: string }> = (query) =>
      listSessions(database(), LOCAL_ACCOUNT, query);
    const first = await list({ limit: 10 });
    await project('late', [], { createdAt: 9_999 });
    const rest = await list({ limit: 500, cursor: first.nextCursor ?? '' });
    const ids = [...first.items, ...rest.items].map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain('ses_late');
    expect((await list({ limit: 1 })).items[0]?.sessionId).toBe('ses_late');
  });
});
