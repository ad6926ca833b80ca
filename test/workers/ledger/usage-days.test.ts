import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { PROVENANCES } from '../../../protocol/usage.ts';
import { summariseUsage } from '../../../workers/ledger/summarise-usage.ts';
import { DAY_MS, decideSplit } from '../../../workers/ledger/usage-days.ts';
import { aUsage, TURN } from '../../support/protocol-builders.ts';
import { startEmpty } from '../support/http.ts';
import { database, project } from '../support/ledger.ts';

const FIGURES = ['micro_usd', 'input_tokens', 'output_tokens', 'cache_read_tokens'] as const;
const KEYS = 'account_id, day, provenance, payer, bucket';

/** Sums of a table by everything that both tables of sums have. */
const sumsOf = async (table: string, entries = 'sum(entries)', unpriced = 'sum(unpriced)') => {
  const sums = FIGURES.map((column) => `coalesce(sum(${column}), 0) AS ${column}`).join(', ');
  const { results } = await env.DB.prepare(
    `SELECT ${KEYS}, ${sums}, ${entries} AS entries, ${unpriced} AS unpriced
     FROM ${table} GROUP BY ${KEYS} ORDER BY ${KEYS}`,
  ).all();
  return results;
};

/** The same sums from the entries themselves. */
const sumsOfEntries = () =>
  sumsOf(
    '(SELECT *, at / 86400000 AS day FROM usage_entries)',
    'count(*)',
    'count(*) - count(micro_usd)',
  );

/** Sums of each session over all time. */
const sumsOfSessions = async (table = 'usage_sessions') => {
  const keys = 'account_id, session_id, provenance, payer, bucket';
  const { results } = await env.DB.prepare(
    `SELECT ${keys}, sum(micro_usd) AS microUsd, sum(input_tokens) AS inputTokens, sum(entries) AS entries
     FROM ${table} GROUP BY ${keys} ORDER BY ${keys}`,
  ).all();
  return results;
};

const entry = fc
  .record({
    model: fc.constantFrom('opus', 'sonnet'),
    provenance: fc.constantFrom(...PROVENANCES),
    payer: fc.constantFrom('api-key' as const, 'subscription' as const, 'unknown' as const),
    microUsd: fc.option(fc.nat(5_000_000)),
    inputTokens: fc.nat(100_000),
  })
  .map(aUsage);
const recorded = fc.record({
  at: fc.nat(4 * DAY_MS),
  event: fc
    .array(entry, { minLength: 1, maxLength: 3 })
    .map((entries) => ({ type: 'usage/recorded' as const, turnId: TURN, entries })),
});
const records = fc.array(fc.array(recorded, { minLength: 3, maxLength: 6 }), {
  minLength: 2,
  maxLength: 3,
});

/** Entries of three sessions, the same in every run. */
const SAMPLE = fc.sample(records, { numRuns: 4, seed: 5 }).flat();

beforeEach(startEmpty);

describe('the sums by day', () => {
  it('are the sums of the entries, provenances and payers apart, also when a page comes twice', async () => {
    for (const [index, events] of SAMPLE.entries()) {
      await project(String(index), events);
      if (index % 2 === 0) await project(String(index), events);
    }
    const expected = await sumsOfEntries();
    expect(expected.length).toBeGreaterThan(10);
    expect(await sumsOf('usage_days')).toEqual(expected);
    expect(await sumsOf('usage_session_days')).toEqual(expected);
    expect(await sumsOfSessions()).not.toEqual([]);
    expect(await sumsOfSessions()).toEqual(await sumsOfSessions('usage_session_days'));
  });

  it('count what was there before there were sums', async () => {
    const others = env.TEST_MIGRATIONS.filter(({ name }) => !/usage_(days|sessions)/.test(name));
    expect(others).toHaveLength(env.TEST_MIGRATIONS.length - 2);
    await reset();
    await applyD1Migrations(env.DB, others);
    for (const [index, events] of SAMPLE.entries()) await project(String(index), events);
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
    const expected = await sumsOfEntries();
    expect(expected.length).toBeGreaterThan(10);
    expect(await sumsOf('usage_days')).toEqual(expected);
    expect(await sumsOf('usage_session_days')).toEqual(expected);
    expect(await sumsOfSessions()).not.toEqual([]);
    expect(await sumsOfSessions()).toEqual(await sumsOfSessions('usage_session_days'));
  });

  it('answer any range as its entries do, wherever it begins and ends', async () => {
    for (const [index, events] of SAMPLE.entries()) await project(String(index), events);
    const times = SAMPLE.flat().map(({ at, event }) => ({ at, entries: event.entries.length }));
    const edge = fc.option(fc.nat(5 * DAY_MS), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(edge, edge, fc.constantFrom('day', 'session'), async (from, to, by) => {
        const { totals } = await summariseUsage(database(), LOCAL_ACCOUNT, {
          by,
          from,
          to,
          limit: 50,
        });
        const counted = Object.values(totals).reduce((sum, total) => sum + total.entries, 0);
        const within = times.filter(({ at }) => at >= (from ?? 0) && at < (to ?? Infinity));
        expect(counted).toBe(within.reduce((sum, { entries }) => sum + entries, 0));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a range', () => {
  const edge = fc.option(fc.nat(6 * DAY_MS), { nil: undefined });

  it('is cut into parts that hold each moment of it once', () => {
    fc.assert(
      fc.property(edge, edge, fc.nat(6 * DAY_MS), (from, to, at) => {
        const { days, edges } = decideSplit({ from, to });
        const parts = days
          ? [...edges, { from: (days.from ?? 0) * DAY_MS, to: (days.to ?? Infinity) * DAY_MS }]
          : edges;
        const held = parts.filter(
          (part) => at >= (part.from ?? 0) && at < (part.to ?? Infinity),
        ).length;
        expect(held).toBe(at >= (from ?? 0) && at < (to ?? Infinity) ? 1 : 0);
      }),
    );
  });

  it('leaves less than two days to be read entry by entry', () => {
    fc.assert(
      fc.property(edge, edge, (from, to) => {
        const read = decideSplit({ from, to }).edges.map(
          (part) => (part.to ?? Infinity) - (part.from ?? 0),
        );
        expect(read.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2 * DAY_MS);
      }),
    );
  });

  it('of whole days needs no entry at all', () => {
    expect(decideSplit({})).toEqual({ days: {}, edges: [] });
    expect(decideSplit({ from: DAY_MS, to: 3 * DAY_MS })).toEqual({
      days: { from: 1, to: 3 },
      edges: [],
    });
  });
});
