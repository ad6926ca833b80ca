import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { UsageGrouping, UsageSummary } from '../../protocol/http.ts';
import { type AccountId, instanceId } from '../../protocol/ids.ts';
import type { BucketTotal, Payer, SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import type { UsageDay } from '../../protocol/usage-views.ts';
import type { Database } from '../db/client.ts';
import {
  sessions,
  usageDays,
  usageEntries,
  usageSessionDays,
  usageSessions,
} from '../db/schema.ts';
import { pageFrom, parseCursor } from '../lib/page.ts';
import { inRange, OPERATOR_TITLE, type UsageRange } from './read-usage.ts';
import { DAY_MS, type DayRange, decideSplit } from './usage-days.ts';

/** What is grouped by, as a column of what is summed. */
const KEYS = {
  day: sql`strftime('%Y-%m-%d', day * 86400, 'unixepoch')`,
  engine: sql`engine_id`,
  model: sql`model`,
  payer: sql`payer`,
  directory: sql`directory`,
} as const satisfies Record<Exclude<UsageGrouping, 'session'>, SQL>;

type GroupRow = { key: string; label: string; bucket: SpendBucket } & BucketTotal;

export type UsageQuery = UsageRange & {
  by: UsageGrouping;
  cursor?: string | undefined;
  limit: number;
};

/**
 * Usage summed per group and bucket, by the database. Buckets are never added to each other:
 * a sum of a measured and an estimated figure would be neither. Whole days are read from their
 * sums, so that the time it takes follows what is shown and not all entries. There may be any
 * number of sessions, so these come in pages, newest first; the totals are of all of them.
 */
export async function summariseUsage(
  database: Database,
  accountId: AccountId,
  query: UsageQuery,
): Promise<UsageSummary> {
  const { by } = query;
  if (by === 'session') {
    const [all, page] = await Promise.all([
      readGroups(database, accountId, { ...query, by: 'payer' }),
      readSessions(database, accountId, query),
    ]);
    const groups = groupsOf(page.rows, (left, right) => (left < right ? 1 : -1));
    return { by, totals: totalsOf(all), groups, nextCursor: page.nextCursor };
  }
  const rows = await readGroups(database, accountId, { ...query, by });
  const ascending = by === 'day' ? -1 : 1;
  const groups = groupsOf(rows, (left, right) => (left < right ? -ascending : ascending));
  return { by, totals: totalsOf(rows), groups, nextCursor: null };
}

function groupsOf(rows: readonly GroupRow[], order: (left: string, right: string) => number) {
  const groups = new Map<string, { key: string; label: string; totals: SpendTotals }>();
  for (const { key, label, bucket, ...figures } of rows) {
    const totals = { ...groups.get(key)?.totals, [bucket]: figures };
    groups.set(key, { key, label, totals });
  }
  return [...groups.values()].toSorted((left, right) => order(left.key, right.key));
}

function totalsOf(rows: readonly GroupRow[]): SpendTotals {
  let totals: SpendTotals = {};
  for (const { key: _key, label: _label, bucket, ...figures } of rows)
    totals = { ...totals, [bucket]: addTotals(totals[bucket], figures) };
  return totals;
}

function addTotals(left: BucketTotal | undefined, right: BucketTotal): BucketTotal {
  if (!left) return right;
  return {
    microUsd: left.microUsd + right.microUsd,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    entries: left.entries + right.entries,
    unpriced: left.unpriced + right.unpriced,
  };
}

/** The groups of a range, each bucket in a row of its own. */
function readGroups(
  database: Database,
  accountId: AccountId,
  query: UsageRange & { by: Exclude<UsageGrouping, 'session'> },
): Promise<GroupRow[]> {
  return database.all<GroupRow>(sql`
    SELECT ${KEYS[query.by]} AS key, ${KEYS[query.by]} AS label, bucket, ${SUMS}
    FROM (${selectRange(accountId, query)})
    GROUP BY 1, bucket`);
}

/** Everything of a range: its whole days as their sums, the rest as entries. */
function selectRange(accountId: AccountId, range: UsageRange): SQL {
  const { days, edges } = decideSplit(range);
  const parts = edges.map((edge) => selectEntries(accountId, edge));
  if (days) parts.push(selectDays(accountId, days));
  return sql.join(parts, sql` UNION ALL `);
}

/** What each payer was charged on each day in UTC, in the order of the days. */
export async function listUsageDays(
  database: Database,
  accountId: AccountId,
  range: UsageRange,
): Promise<UsageDay[]> {
  const rows = await database.all<Omit<GroupRow, 'label'> & { payer: Payer }>(sql`
    SELECT ${KEYS.day} AS key, payer, bucket, ${SUMS}
    FROM (${selectRange(accountId, range)})
    GROUP BY 1, payer, bucket ORDER BY 1, payer`);
  const days = new Map<string, UsageDay>();
  for (const { key: day, payer, bucket, ...figures } of rows) {
    const totals = { ...days.get(`${day} ${payer}`)?.totals, [bucket]: figures };
    days.set(`${day} ${payer}`, { day, payer, totals });
  }
  return [...days.values()];
}

/** A page of sessions that used something in a range, each bucket in a row of its own. */
async function readSessions(
  database: Database,
  accountId: AccountId,
  { cursor, limit, ...range }: UsageQuery,
): Promise<{ rows: GroupRow[]; nextCursor: string | null }> {
  const [before] = parseCursor(cursor, 1);
  const used = sql.join(selectSessions(accountId, range), sql` UNION ALL `);
  const earlier = before === undefined ? sql`` : sql`WHERE session_id < ${before}`;
  const found = await database.all<{ id: string }>(sql`
    SELECT DISTINCT session_id AS id FROM (${used}) ${earlier} ORDER BY 1 DESC LIMIT ${limit + 1}`);
  const { items, nextCursor } = pageFrom(found, limit, ({ id }) => [id]);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return { rows: [], nextCursor };
  const rows = await database.all<Omit<GroupRow, 'label'> & { title: string | null }>(sql`
    SELECT *, (SELECT title FROM ${sessions} WHERE ${sessions.sessionId} = key) AS title
    FROM (
      SELECT session_id AS key, bucket, ${SUMS} FROM (${used})
      WHERE session_id BETWEEN ${last.id} AND ${first.id} GROUP BY 1, bucket
    )`);
  return {
    rows: rows.map(({ title, ...row }) => ({ ...row, label: title ?? nameOf(row.key) })),
    nextCursor,
  };
}

const nameOf = (id: string): string => (instanceId.safeParse(id).success ? OPERATOR_TITLE : id);

/** The parts from which sessions are summed: all time has a sum of its own for each. */
function selectSessions(accountId: AccountId, range: UsageRange): SQL[] {
  if (range.from === undefined && range.to === undefined)
    return [
      sql`SELECT session_id, ${FIGURES} FROM ${usageSessions} WHERE ${eq(usageSessions.accountId, accountId)}`,
    ];
  const { days, edges } = decideSplit(range);
  const parts = edges.map(
    (edge) =>
      sql`SELECT session_id, ${FIGURES} FROM (${selectEntries(accountId, edge, sql`session_id,`)})`,
  );
  if (days)
    parts.push(sql`SELECT session_id, ${FIGURES} FROM ${usageSessionDays}
      WHERE ${inDays(usageSessionDays, accountId, days)}`);
  return parts;
}

const SUMS = sql`
  sum(micro_usd) AS microUsd, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
  sum(cache_read_tokens) AS cacheReadTokens, sum(cache_write_tokens) AS cacheWriteTokens,
  sum(entries) AS entries, sum(unpriced) AS unpriced`;

/** The columns of every part, in the order of the union. */
const FIGURES = sql`payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens,
  cache_write_tokens, entries, unpriced`;

function selectDays(accountId: AccountId, days: DayRange): SQL {
  return sql`SELECT day, engine_id, directory, model, ${FIGURES}
    FROM ${usageDays} WHERE ${inDays(usageDays, accountId, days)}`;
}

/** Entries as the sums of one each. A rehearsal without a directory of its own has an empty one. */
function selectEntries(accountId: AccountId, range: UsageRange, session = sql``): SQL {
  return sql`SELECT at / ${sql.raw(String(DAY_MS))} AS day, ${session} engine_id,
      coalesce(directory, '') AS directory, model, payer, bucket, coalesce(micro_usd, 0) AS micro_usd,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, 1 AS entries,
      micro_usd IS NULL AS unpriced
    FROM ${usageEntries} WHERE ${inRange(accountId, range)}`;
}

function inDays(
  table: typeof usageDays | typeof usageSessionDays,
  accountId: AccountId,
  { from, to }: DayRange,
): SQL | undefined {
  return and(
    eq(table.accountId, accountId),
    from === undefined ? undefined : gte(table.day, from),
    to === undefined ? undefined : lt(table.day, to),
  );
}
