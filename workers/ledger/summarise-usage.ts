import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { UsageGrouping, UsageSummary } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { BucketTotal, SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import type { Database } from '../db/client.ts';
import { sessions, usageDays, usageEntries, usageSessionDays } from '../db/schema.ts';
import { inRange, type UsageRange } from './read-usage.ts';
import { DAY_MS, type DayRange, decideSplit } from './usage-days.ts';

/** What is grouped by, as a column of what is summed. */
const KEYS = {
  day: sql`strftime('%Y-%m-%d', day * 86400, 'unixepoch')`,
  session: sql`session_id`,
  engine: sql`engine_id`,
  model: sql`model`,
  payer: sql`payer`,
  directory: sql`directory`,
} as const satisfies Record<UsageGrouping, SQL>;

type GroupRow = { key: string; label: string; bucket: SpendBucket } & BucketTotal;

/**
 * Usage summed per group and bucket, by the database. Buckets are never added to each other:
 * a sum of a measured and an estimated figure would be neither. Whole days are read from their
 * sums, so that the time it takes follows the days and sessions shown and not all entries.
 */
export async function summariseUsage(
  database: Database,
  accountId: AccountId,
  query: UsageRange & { by: UsageGrouping },
): Promise<UsageSummary> {
  const rows = await readGroups(database, accountId, query);
  const groups = new Map<string, SpendTotals>();
  let totals: SpendTotals = {};
  const labels = new Map<string, string>();
  for (const { key: group, label, bucket, ...figures } of rows) {
    groups.set(group, { ...groups.get(group), [bucket]: figures });
    labels.set(group, label);
    totals = { ...totals, [bucket]: addTotals(totals[bucket], figures) };
  }
  const sorted = [...groups].toSorted(([left], [right]) => orderOf(query.by, left, right));
  return {
    by: query.by,
    totals,
    groups: sorted.map(([group, held]) => ({
      key: group,
      label: labels.get(group) ?? group,
      totals: held,
    })),
  };
}

/** Days and sessions newest first, for their keys sort by time; everything else by name. */
function orderOf(by: UsageGrouping, left: string, right: string): number {
  const ascending = left < right ? -1 : 1;
  return by === 'day' || by === 'session' ? -ascending : ascending;
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
  query: UsageRange & { by: UsageGrouping },
): Promise<GroupRow[]> {
  const key = KEYS[query.by];
  const { days, edges } = decideSplit(query);
  const parts = edges.map((edge) => selectEntries(accountId, edge));
  if (days)
    parts.push(
      query.by === 'session' ? selectSessionDays(accountId, days) : selectDays(accountId, days),
    );
  const label =
    query.by === 'session'
      ? sql`coalesce((SELECT title FROM ${sessions} WHERE ${sessions.sessionId} = key), key)`
      : sql`key`;
  return database.all<GroupRow>(sql`
    SELECT *, ${label} AS label FROM (
      SELECT ${key} AS key, bucket, ${SUMS}
      FROM (${sql.join(parts, sql` UNION ALL `)})
      GROUP BY 1, bucket
    )`);
}

const SUMS = sql`
  sum(micro_usd) AS microUsd, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
  sum(cache_read_tokens) AS cacheReadTokens, sum(cache_write_tokens) AS cacheWriteTokens,
  sum(entries) AS entries, sum(unpriced) AS unpriced`;

/** The columns of every part, in the order of the union. */
const FIGURES = sql`payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens,
  cache_write_tokens, entries, unpriced`;

function selectDays(accountId: AccountId, days: DayRange): SQL {
  return sql`SELECT day, NULL AS session_id, engine_id, directory, model, ${FIGURES}
    FROM ${usageDays} WHERE ${inDays(usageDays, accountId, days)}`;
}

function selectSessionDays(accountId: AccountId, days: DayRange): SQL {
  return sql`SELECT day, session_id, NULL AS engine_id, NULL AS directory, NULL AS model, ${FIGURES}
    FROM ${usageSessionDays} WHERE ${inDays(usageSessionDays, accountId, days)}`;
}

/** Entries as the sums of one each. A rehearsal without a directory of its own has an empty one. */
function selectEntries(accountId: AccountId, range: UsageRange): SQL {
  return sql`SELECT at / ${sql.raw(String(DAY_MS))} AS day, session_id, engine_id,
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
