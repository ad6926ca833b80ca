import { beforeEach, describe, expect, it } from 'vitest';
import { accountId, LOCAL_ACCOUNT, turnId } from '../../../protocol/ids.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { GROWTH_TURNS, usageDays, usageTurns } from '../../../protocol/usage-views.ts';
import { listReads } from '../../../workers/ledger/read-turns.ts';
import { listUsageDays } from '../../../workers/ledger/summarise-usage.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { ask, codeOf, makeCliToken, signIn, startEmpty } from '../support/http.ts';
import { database, project, type Recorded, sessionNamed } from '../support/ledger.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

const used = (at: number, turn: string | null, ...entries: Partial<UsageEntry>[]): Recorded => ({
  at,
  event: {
    type: 'usage/recorded',
    turnId: turn === null ? null : turnId.parse(turn),
    entries: entries.map((entry) => aUsage(entry)),
  },
});

let cli: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});
const get = (path: string, bearer = cli) => ask('GET', path, { bearer });

describe('usage by day and payer', () => {
  const TWO_DAYS = [
    used(NOON, 'trn_1', { payer: 'api-key', microUsd: 100 }, { payer: 'api-key', microUsd: 20 }),
    used(NOON + 1, 'trn_2', { payer: 'subscription', microUsd: 7_000 }),
    used(NOON + DAY_MS, 'trn_3', { payer: 'api-key', provenance: 'estimated', microUsd: 3 }),
    used(NOON + DAY_MS, 'trn_4', { payer: 'unknown', provenance: 'unmetered', microUsd: null }),
  ];

  it('has a row for each payer of each day, in the order of the days', async () => {
    await project('a', TWO_DAYS);
    const { items } = usageDays.parse((await get('/v1/usage/days')).body);
    expect(
      items.map(({ day, payer, totals }) => [
        day,
        payer,
        Object.entries(totals).map(([bucket, { microUsd }]) => [bucket, microUsd]),
      ]),
    ).toEqual([
      ['2026-11-28', 'api-key', [['reported', 120]]],
      ['2026-11-28', 'subscription', [['notional', 7_000]]],
      ['2026-11-29', 'api-key', [['estimated', 3]]],
      ['2026-11-29', 'unknown', [['unmetered', 0]]],
    ]);
  });

  it('keeps figures of different kinds apart within one payer’s day', async () => {
    await project('a', [
      used(NOON, 'trn_1', { microUsd: 100 }, { microUsd: 50, provenance: 'estimated' }),
      used(NOON, 'trn_2', { microUsd: null, provenance: 'unsettled' }),
    ]);
    const [only, ...more] = await listUsageDays(database(), LOCAL_ACCOUNT, {});
    expect(more).toEqual([]);
    expect(only?.totals).toMatchObject({
      reported: { microUsd: 100, entries: 1 },
      estimated: { microUsd: 50, entries: 1 },
      unsettled: { microUsd: 0, unpriced: 1 },
    });
  });

  it('is of a range as if the rest had never been, to the millisecond', async () => {
    await project('a', TWO_DAYS);
    const days = await listUsageDays(database(), LOCAL_ACCOUNT, { from: NOON + 1, to: NOON + 2 });
    expect(days.map(({ day, payer }) => [day, payer])).toEqual([['2026-11-28', 'subscription']]);
    expect(await listUsageDays(database(), accountId.parse('acc_other'), {})).toEqual([]);
  });
});

describe('what the turns of a session read', () => {
  const turn = (index: number) => `trn_${String(index).padStart(3, '0')}`;

  it('is input and cache of each turn, in the order of the turns', async () => {
    await project('a', [
      used(1, 'trn_2', { inputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 5 }),
      used(2, 'trn_1', { inputTokens: 20, cacheReadTokens: 200, cacheWriteTokens: 0 }),
      used(3, 'trn_1', { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }),
    ]);
    const answer = await get(`/v1/usage/turns?sessions=${sessionNamed('a')}`);
    expect(usageTurns.parse(answer.body).items).toEqual([
      {
        sessionId: sessionNamed('a'),
        turns: [
          { turnId: 'trn_2', readTokens: 115 },
          { turnId: 'trn_1', readTokens: 221 },
        ],
      },
    ]);
  });

  it('is of the last turns alone where there are many', async () => {
    const events = Array.from({ length: GROWTH_TURNS + 5 }, (_, index) =>
      used(index, turn(index), { inputTokens: index, cacheReadTokens: 0, cacheWriteTokens: 0 }),
    );
    await project('a', events);
    const [only] = await listReads(database(), LOCAL_ACCOUNT, [sessionNamed('a')]);
    expect(only?.turns).toHaveLength(GROWTH_TURNS);
    expect(only?.turns[0]?.turnId).toBe(turn(5));
    expect(only?.turns.at(-1)?.readTokens).toBe(GROWTH_TURNS + 4);
  });

  it('leaves out what was spent outside any turn, and sessions that were not asked for', async () => {
    await project('a', [used(1, null, { inputTokens: 99 })]);
    await project('b', [used(1, 'trn_1', { inputTokens: 99 })]);
    expect(await listReads(database(), LOCAL_ACCOUNT, [sessionNamed('a')])).toEqual([]);
    expect(await listReads(database(), accountId.parse('acc_other'), [sessionNamed('b')])).toEqual(
      [],
    );
  });

  it.each([
    ['nothing', ''],
    ['an empty id among others', 'ses_a,,ses_b'],
    ['what is no id', 'everything'],
    ['more than one page of sessions', Array(101).fill('ses_a').join(',')],
  ])('refuses %s', async (_, sessions) => {
    expect(codeOf(await get(`/v1/usage/turns?sessions=${sessions}`))).toBe('bad_request');
  });
});

describe('the usage ledger as a file', () => {
  it('is CSV with a name to save it under, the newest entry first', async () => {
    await project('a', [
      used(NOON, 'trn_1', { model: 'opus', microUsd: 12 }),
      used(NOON + 1_000, 'trn_2', { model: '=cmd|calc', microUsd: null, provenance: 'unsettled' }),
    ]);
    const answer = await get('/v1/usage/export');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="pilothouse-usage.csv"',
    );
    const lines = String(answer.body).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^at,session_id,session_title,turn_id,engine,model,/);
    expect(lines[1]).toMatch(/^2026-11-28T12:00:01\.000Z,ses_a,.*,'=cmd\|calc,.*,unsettled,.*,$/);
    expect(lines[2]).toMatch(/,12$/);
  });

  it('is a list in JSON that holds every entry once, over many pages', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) =>
      used(NOON, `trn_${index}`, { microUsd: index }),
    );
    for (let at = 0; at < many.length; at += 143) await project(`s${at}`, many.slice(at, at + 143));
    const { body } = await get('/v1/usage/export?format=json');
    const amounts = (body as { microUsd: number }[]).map(({ microUsd }) => microUsd);
    expect(amounts).toHaveLength(1_001);
    expect(new Set(amounts).size).toBe(1_001);
  });

  it('holds what the time and the session leave, and is whole when that is nothing', async () => {
    await project('a', [used(NOON, 'trn_1', { microUsd: 1 })]);
    await project('b', [used(NOON, 'trn_1', { microUsd: 2 })]);
    const ofB = await get(`/v1/usage/export?format=json&sessionId=${sessionNamed('b')}`);
    expect(ofB.body).toMatchObject([{ microUsd: 2 }]);
    expect((await get(`/v1/usage/export?format=json&from=${NOON + 1}`)).body).toEqual([]);
    const nothing = String((await get(`/v1/usage/export?to=${NOON}`)).body);
    expect(nothing.split('\r\n')).toHaveLength(2);
  });

  it('is for a person and their command line alone', async () => {
    const cookie = await signIn();
    expect((await ask('GET', '/v1/usage/export', { cookie })).status).toBe(200);
    expect(codeOf(await ask('GET', '/v1/usage/export'))).toBe('unauthenticated');
    expect(codeOf(await get('/v1/usage/export?format=xml'))).toBe('bad_request');
  });
});
