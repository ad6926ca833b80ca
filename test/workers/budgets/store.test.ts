import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountId, LOCAL_ACTOR, runnerId, sessionId, turnId } from '../../../protocol/ids.ts';
import { type BudgetVersion, NOTHING_SPENT } from '../../../protocol/shared-budget.ts';
import type { BudgetBook } from '../../../workers/budgets/budget-book.ts';
import type { Reservation } from '../../../workers/budgets/decide.ts';
import { BudgetStore, nameOf } from '../../../workers/budgets/store.ts';
import { startEmpty } from '../support/http.ts';

beforeAll(startEmpty);

const RUNNER = runnerId.parse('run_1');
const DAY_MS = 24 * 3_600_000;
const QUARTER_MS = 15 * 60_000;
const NOON = Date.UTC(2026, 10, 30, 12);
const place = { runnerId: RUNNER, directory: '/code/shop' };
const held = (over: Partial<Reservation> = {}): Reservation => ({
  turnId: turnId.parse('trn_1'),
  kind: 'turn',
  sessionId: sessionId.parse('ses_1'),
  ...place,
  at: NOON,
  microUsd: 70,
  paidMicroUsd: null,
  ...over,
});
const version = (over: Partial<BudgetVersion> = {}): BudgetVersion => ({
  scope: { kind: 'account' },
  unit: 'dollars',
  renews: 'daily',
  counts: 'all',
  zone: 'UTC',
  limit: 100,
  version: 1,
  savedBy: 'cli',
  savedAt: NOON,
  ...over,
});

/** Works on the tables of a book that nobody else asks. */
function onTables<T>(name: string, act: (store: BudgetStore, sql: SqlStorage) => T): Promise<T> {
  const account = accountId.parse(`acc_${name}`);
  const stub = env.BUDGET_BOOK.getByName(account) as DurableObjectStub<BudgetBook>;
  return runInDurableObject(stub, async (_, { storage }) => {
    await Promise.resolve();
    return act(new BudgetStore(storage.sql), storage.sql);
  });
}

describe('what was used', () => {
  it('is one row for a place and a quarter of an hour, at which every zone’s days begin', () =>
    onTables('used', (store, sql) => {
      for (const at of [NOON, NOON + 1, NOON + QUARTER_MS - 1, NOON + QUARTER_MS])
        store.charge(place, { all: 10, paid: 4, tokens: 2, timeMs: 3, turns: 1 }, at);
      store.charge({ ...place, directory: null }, { ...NOTHING_SPENT, turns: 1 }, NOON);
      expect(sql.exec('SELECT COUNT(*) AS rows FROM charges').one()).toEqual({ rows: 3 });
      expect(store.sumSince(NOON)).toEqual([
        { ...place, directory: null, ...NOTHING_SPENT, turns: 1 },
        { ...place, all: 40, paid: 16, tokens: 8, timeMs: 12, turns: 4 },
      ]);
      expect(store.sumSince(NOON + QUARTER_MS)).toEqual([
        { ...place, all: 10, paid: 4, tokens: 2, timeMs: 3, turns: 1 },
      ]);
      expect(store.sumSince(NOON + DAY_MS)).toEqual([]);
    }));
});

describe('what is granted', () => {
  it('is held until its turn is over, and then known', () =>
    onTables('held', (store) => {
      const { turnId: turn, sessionId: session } = held();
      expect(store.readGrant(turn)).toBeUndefined();
      store.hold(held({ tokens: 9, timeMs: 8 }));
      expect(store.listHeld()).toEqual([held({ tokens: 9, timeMs: 8 })]);
      expect(store.end(session, turn)).toMatchObject({ turnId: turn });
      expect(store.end(session, turn)).toBeUndefined();
      expect(store.listHeld()).toEqual([]);
      const grant = { microUsd: 70, paidMicroUsd: null, tokens: 9, timeMs: 8 };
      expect(store.readGrant(turn)).toEqual(grant);
      // What is over is not given back.
      store.release(session, turn);
      expect(store.readGrant(turn)).toBeDefined();
    }));

  it('is ended and released by its own session alone', () =>
    onTables('owned', (store) => {
      store.hold(held());
      const other = sessionId.parse('ses_2');
      expect(store.end(other, held().turnId)).toBeUndefined();
      store.release(other, held().turnId);
      expect(store.listHeld()).toHaveLength(1);
      store.release(held().sessionId, held().turnId);
      expect(store.readGrant(held().turnId)).toBeUndefined();
    }));

  it('is forgotten a month after it was over, and not while it is held', () =>
    onTables('forgotten', (store) => {
      const [over, open, now] = ['trn_over', 'trn_open', 'trn_now'].map((id) => turnId.parse(id));
      if (!over || !open || !now) throw new Error('there are three turns');
      store.hold(held({ turnId: over }));
      store.hold(held({ turnId: open }));
      store.end(held().sessionId, over);
      store.hold(held({ turnId: now, at: NOON + 31 * DAY_MS }));
      expect(store.readGrant(over)).toBeUndefined();
      expect(store.listHeld().map((each) => each.turnId)).toEqual([open, now]);
    }));
});

describe('the versions of a budget', () => {
  it('are kept apart by what the budget is of, the newest first', () =>
    onTables('versions', (store) => {
      const scope = { kind: 'repository' as const, ...place };
      store.addVersion(version(), LOCAL_ACTOR);
      store.addVersion(version({ version: 2, limit: 50 }), LOCAL_ACTOR);
      store.addVersion(version({ unit: 'turns' }), LOCAL_ACTOR);
      store.addVersion(version({ scope }), LOCAL_ACTOR);
      const newest = (limit: number) =>
        store.listVersions(nameOf(version()), limit).map((each) => each.limit);
      expect(newest(100)).toEqual([50, 100]);
      expect(newest(1)).toEqual([50]);
      expect(store.listNewest()).toHaveLength(3);
      expect(store.listNewest()).toContainEqual(version({ version: 2, limit: 50 }));
      expect(() => store.addVersion(version(), LOCAL_ACTOR)).toThrow(/UNIQUE/);
    }));

  it('have marks of their own: a budget that was raised warns again', () =>
    onTables('marks', (store) => {
      store.writeMark(version(), NOON, 50);
      store.writeMark(version(), NOON, 80);
      expect(store.readMark(version(), NOON)).toBe(80);
      expect(store.readMark(version(), NOON + DAY_MS)).toBe(0);
      expect(store.readMark(version({ version: 2 }), NOON)).toBe(0);
    }));
});
