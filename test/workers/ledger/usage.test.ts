import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type UsageSummary, usagePage, usageSummary } from '../../../protocol/http.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { ask, codeOf } from '../support/http.ts';
import { type Launched, launchOn, startOnline, untilRows } from '../support/sessions.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('usage', () => {
  let session: Launched;
  let seq: number;
  beforeEach(async () => {
    session = await launchOn(await startOnline(), { objective: 'Fix the parser' });
    seq = 1;
  });

  /** Records entries through the runner's link, at a time of the runner's. */
  const record = async (entries: UsageEntry[], at = Date.now()): Promise<void> => {
    const event = { type: 'usage/recorded', turnId: session.turnId, entries };
    session.peer.send({
      type: 'events',
      events: [{ sessionId: session.sessionId, seq: seq++, at, event }],
    });
  };
  const recorded = async (count: number) => untilRows('SELECT 1 FROM usage_entries', count);
  const summary = async (query = ''): Promise<UsageSummary> =>
    usageSummary.parse(
      (await ask('GET', `/v1/usage/summary${query}`, { bearer: session.cli })).body,
    );

  it('is listed with its session, newest first', async () => {
    await record([aUsage({ microUsd: 1 })], 1_000);
    await record([aUsage({ microUsd: null, provenance: 'unsettled' })], 2_000);
    await recorded(2);
    const { items } = usagePage.parse(
      (await ask('GET', '/v1/usage', { bearer: session.cli })).body,
    );
    expect(
      items.map(({ at, microUsd, bucket, sessionTitle }) => [at, microUsd, bucket, sessionTitle]),
    ).toEqual([
      [2_000, null, 'unsettled', 'Fix the parser'],
      [1_000, 1, 'reported', 'Fix the parser'],
    ]);
  });

  it('is listed in pages that neither repeat nor miss a row, though many share a time', async () => {
    for (let index = 0; index < 7; index++)
      await record([aUsage({ microUsd: index }), aUsage({ microUsd: 100 + index })], 5_000);
    await recorded(14);
    const seen: (number | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/v1/usage?limit=3${cursor ? `&cursor=${cursor}` : ''}`;
      const page = usagePage.parse((await ask('GET', path, { bearer: session.cli })).body);
      seen.push(...page.items.map(({ microUsd }) => microUsd));
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([14, 14]);
  });

  it('keeps two entries of one model in one event apart', async () => {
    await record([aUsage({ microUsd: 1 }), aUsage({ microUsd: 2, provenance: 'estimated' })]);
    await recorded(2);
    expect((await summary()).totals).toMatchObject({
      reported: { microUsd: 1 },
      estimated: { microUsd: 2 },
    });
  });

  it('is summed in each bucket apart, and a bucket without entries is absent', async () => {
    await record([
      aUsage({ microUsd: 10 }),
      aUsage({ microUsd: 20, payer: 'subscription' }),
      aUsage({ microUsd: 30, provenance: 'rehearsal' }),
      aUsage({ microUsd: null, provenance: 'unmetered' }),
    ]);
    await recorded(4);
    const { totals } = await summary();
    expect(
      Object.entries(totals)
        .map(([bucket, sum]) => `${bucket} ${sum.microUsd} ${sum.entries} ${sum.unpriced}`)
        .toSorted(),
    ).toEqual(['notional 20 1 0', 'rehearsal 30 1 0', 'reported 10 1 0', 'unmetered 0 1 1']);
  });

  it.each([
    ['model', ['claude-opus-5-5', 'helper'], ['claude-opus-5-5', 'helper']],
    ['engine', ['rehearsal'], ['rehearsal']],
    ['payer', ['api-key'], ['api-key']],
    ['directory', [''], ['']],
  ])('is grouped by %s', async (by, keys, labels) => {
    await record([aUsage(), aUsage({ model: 'helper' })]);
    await recorded(2);
    const { groups } = await summary(`?by=${by}`);
    expect([groups.map(({ key }) => key), groups.map(({ label }) => label)]).toEqual([
      keys,
      labels,
    ]);
  });

  it('is grouped by session under its title, and by day newest first', async () => {
    await record([aUsage()], 10 * DAY_MS);
    await record([aUsage()], 11 * DAY_MS);
    await recorded(2);
    expect((await summary('?by=session')).groups).toMatchObject([
      { key: session.sessionId, label: 'Fix the parser' },
    ]);
    expect((await summary('?by=day')).groups.map(({ key }) => key)).toEqual([
      '1970-01-12',
      '1970-01-11',
    ]);
  });

  it('of a range has its start and not its end', async () => {
    for (const at of [1_000, 2_000, 3_000]) await record([aUsage({ microUsd: at })], at);
    await recorded(3);
    expect((await summary('?from=1000&to=3000')).totals.reported?.microUsd).toBe(3_000);
    const { items } = usagePage.parse(
      (await ask('GET', '/v1/usage?from=2000', { bearer: session.cli })).body,
    );
    expect(items.map(({ at }) => at)).toEqual([3_000, 2_000]);
  });

  it('adds up to the same in the view, the list and the summary', async () => {
    const entries = [aUsage({ microUsd: 7 }), aUsage({ model: 'helper', microUsd: 11 })];
    await record(entries);
    await record([aUsage({ microUsd: 13 })]);
    await recorded(3);
    const view = (await ask('GET', `/v1/sessions/${session.sessionId}`, { bearer: session.cli }))
      .body;
    expect(view).toMatchObject({
      summary: { spend: (await summary()).totals },
      view: { spend: (await summary()).totals },
    });
  });

  it('of another account is not seen', async () => {
    await record([aUsage()]);
    await recorded(1);
    await env.DB.exec(`UPDATE credentials SET account_id = 'acc_other'`);
    expect((await summary()).totals).toEqual({});
    expect(
      usagePage.parse((await ask('GET', '/v1/usage', { bearer: session.cli })).body).items,
    ).toEqual([]);
  });

  it('is refused in a grouping that is none', async () => {
    expect(codeOf(await ask('GET', '/v1/usage/summary?by=mood', { bearer: session.cli }))).toBe(
      'bad_request',
    );
  });
});
