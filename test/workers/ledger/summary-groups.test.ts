import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { usageGrouping, usageSummary, type UsageGrouping } from '../../../protocol/http.ts';
import { accountId, instanceId, LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import {
  addUsage,
  bucketOf,
  OPERATOR_SOURCE,
  PROVENANCES,
  type SpendTotals,
  type UsageEntry,
} from '../../../protocol/usage.ts';
import { usageEntries } from '../../../workers/db/schema.ts';
import { listUsage } from '../../../workers/ledger/read-usage.ts';
import { summariseUsage } from '../../../workers/ledger/summarise-usage.ts';
import { aUsage, TURN } from '../../support/protocol-builders.ts';
import { startEmpty } from '../support/http.ts';
import { database, project, sessionNamed } from '../support/ledger.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A month with a leap day in it. */
const START = Date.parse('2024-02-27T00:00:00Z');

type Spent = { session: number; at: number; entry: UsageEntry };

const SESSIONS = [
  { engineId: 'claude', directory: '/srv/site', objective: 'Fix the site' },
  { engineId: 'claude', directory: '/srv/api', objective: 'Fix the API' },
  { engineId: 'codex', directory: '/srv/site', objective: 'Try the other' },
  { engineId: 'rehearsal', directory: null, objective: 'Show me' },
];

const spent: fc.Arbitrary<Spent> = fc.record({
  session: fc.nat(SESSIONS.length - 1),
  at: fc.nat(4 * DAY_MS).map((offset) => START + offset),
  entry: fc
    .record({
      model: fc.constantFrom('opus', 'sonnet', 'helper'),
      provenance: fc.constantFrom(...PROVENANCES),
      payer: fc.constantFrom('api-key' as const, 'subscription' as const, 'unknown' as const),
      microUsd: fc.option(fc.nat(5_000_000)),
      inputTokens: fc.nat(100_000),
    })
    .map(aUsage),
});

/** Sixty mixed entries, the same in every run. */
const ENTRIES = fc.sample(spent, { numRuns: 60, seed: 20_240_229 });

/** The key of an entry in a grouping, written a second time and not with the database. */
function keyOf({ session, at, entry }: Spent, by: UsageGrouping): string {
  const { engineId, directory } = SESSIONS[session] ?? { engineId: '', directory: null };
  switch (by) {
    case 'day':
      return new Date(at).toISOString().slice(0, 10);
    case 'session':
      return sessionNamed(String(session));
    case 'engine':
      return engineId;
    case 'model':
      return entry.model;
    case 'payer':
      return entry.payer;
    case 'directory':
      return directory ?? '';
    default:
      return by satisfies never;
  }
}

function totalsBy(entries: readonly Spent[], by: UsageGrouping): Record<string, SpendTotals> {
  const groups: Record<string, SpendTotals> = {};
  for (const one of entries) {
    const key = keyOf(one, by);
    groups[key] = addUsage(groups[key] ?? {}, one.entry);
  }
  return groups;
}

const summarise = async (by: UsageGrouping, range: { from?: number; to?: number } = {}) =>
  usageSummary.parse(await summariseUsage(database(), LOCAL_ACCOUNT, { by, limit: 50, ...range }));

beforeAll(async () => {
  await startEmpty();
  for (const [index, launch] of SESSIONS.entries()) {
    const events = ENTRIES.filter(({ session }) => session === index).map(({ at, entry }) => ({
      at,
      event: { type: 'usage/recorded' as const, turnId: TURN, entries: [entry] },
    }));
    await project(String(index), events, { launch });
  }
});

describe.each(usageGrouping.options)('usage of mixed provenance by %s', (by) => {
  it('is in each group what adding its entries gives, bucket by bucket', async () => {
    const { groups } = await summarise(by);
    const expected = totalsBy(ENTRIES, by);
    expect(Object.fromEntries(groups.map(({ key, totals }) => [key, totals]))).toEqual(expected);
    expect(groups.length).toBeGreaterThan(1);
  });

  it('is in all the same whatever it is grouped by', async () => {
    const { totals } = await summarise(by);
    expect(totals).toEqual(ENTRIES.map(({ entry }) => entry).reduce(addUsage, {}));
  });

  it('loses no entry between the groups', async () => {
    const { groups, totals } = await summarise(by);
    const count = (sums: SpendTotals) =>
      Object.values(sums).reduce((sum, bucket) => sum + bucket.entries, 0);
    expect(groups.reduce((sum, group) => sum + count(group.totals), 0)).toBe(count(totals));
    expect(count(totals)).toBe(ENTRIES.length);
  });

  it('is in an order: the newest day or session first, names by the alphabet', async () => {
    const keys = (await summarise(by)).groups.map(({ key }) => key);
    const sorted = keys.toSorted();
    expect(keys).toEqual(by === 'day' || by === 'session' ? sorted.toReversed() : sorted);
  });

  it('is of a range as if the rest had never been', async () => {
    const range = { from: START + DAY_MS, to: START + 3 * DAY_MS };
    const inside = ENTRIES.filter(({ at }) => at >= range.from && at < range.to);
    const { groups } = await summarise(by, range);
    expect(Object.fromEntries(groups.map(({ key, totals }) => [key, totals]))).toEqual(
      totalsBy(inside, by),
    );
    expect(inside.length).toBeGreaterThan(5);
  });

  it('is nothing of another account', async () => {
    const other = accountId.parse('acc_other');
    expect(await summariseUsage(database(), other, { by, limit: 50 })).toEqual({
      by,
      totals: {},
      groups: [],
      nextCursor: null,
    });
  });
});

describe('the labels of groups', () => {
  it('are titles for sessions, and the keys themselves for everything else', async () => {
    const { groups } = await summarise('session');
    expect(groups.map(({ key, label }) => [key, label])).toEqual(
      [3, 2, 1, 0].map((index) => [sessionNamed(String(index)), SESSIONS[index]?.objective]),
    );
    for (const { key, label } of (await summarise('engine')).groups) expect(label).toBe(key);
  });
});

describe('what the agent of an operator spent', () => {
  it.each([{}, { from: START }])(
    'is a group of its own name, as in the entries: %j',
    async (range) => {
      const operators = accountId.parse('acc_operators');
      const entry = aUsage({});
      await database()
        .insert(usageEntries)
        .values({
          accountId: operators,
          actorId: LOCAL_ACTOR,
          sessionId: instanceId.parse('ins_1'),
          position: 1,
          at: START,
          turnId: '',
          sourceSeq: 1,
          ordinal: 0,
          engineId: OPERATOR_SOURCE,
          directory: null,
          ...entry,
          bucket: bucketOf(entry),
        })
        .onConflictDoNothing();
      const query = { by: 'session' as const, limit: 50, ...range };
      const { groups } = await summariseUsage(database(), operators, query);
      const { items } = await listUsage(database(), operators, { limit: 50 });
      expect(groups.map(({ key, label }) => [key, label])).toEqual([
        ['ins_1', 'agent of an operator'],
      ]);
      expect(items.map(({ sessionTitle }) => sessionTitle)).toEqual(['agent of an operator']);
    },
  );
});

describe('sums of mixed provenance', () => {
  it('never let a subscription’s list price into what was paid', async () => {
    const { totals } = await summarise('payer');
    const paid = ENTRIES.filter(
      ({ entry }) => entry.provenance === 'reported' && entry.payer !== 'subscription',
    );
    expect(totals.reported?.microUsd).toBe(
      paid.reduce((sum, { entry }) => sum + (entry.microUsd ?? 0), 0),
    );
    expect(totals.notional?.entries).toBe(
      ENTRIES.filter(
        ({ entry }) =>
          entry.payer === 'subscription' && ['reported', 'estimated'].includes(entry.provenance),
      ).length,
    );
  });

  it('count what has no price instead of taking it for nothing', async () => {
    const { totals } = await summarise('day');
    const unpriced = Object.values(totals).reduce((sum, bucket) => sum + bucket.unpriced, 0);
    expect(unpriced).toBe(ENTRIES.filter(({ entry }) => entry.microUsd === null).length);
    expect(unpriced).toBeGreaterThan(0);
  });
});

describe('usage by session', () => {
  it.each([{}, { from: START + DAY_MS / 2, to: START + 4 * DAY_MS - 1 }])(
    'comes in pages that neither repeat nor miss a session, with the totals of all: %j',
    async (range) => {
      const whole = await summarise('session', range);
      expect(whole.nextCursor).toBeNull();
      const seen: (typeof whole)['groups'] = [];
      for (let cursor: string | undefined, pages = 0; pages < 9; pages += 1) {
        const page = await summariseUsage(database(), LOCAL_ACCOUNT, {
          by: 'session',
          limit: 2,
          cursor,
          ...range,
        });
        expect(page.totals).toEqual(whole.totals);
        expect(page.groups.length).toBeLessThanOrEqual(2);
        seen.push(...page.groups);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(whole.groups);
      expect(seen).toHaveLength(SESSIONS.length);
    },
  );
});
