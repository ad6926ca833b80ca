import { eq, sql, sum } from 'drizzle-orm';
import type { UsageGrouping, UsageSummary } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { BucketTotal, SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import type { Database } from '../db/client.ts';
import { sessions, usageEntries } from '../db/schema.ts';
import { inRange, type UsageRange } from './read-usage.ts';

/** The day of an entry in UTC. */
const day = sql<string>`strftime('%Y-%m-%d', ${usageEntries.at} / 1000, 'unixepoch')`;

/** What entries are grouped by; a rehearsal without a directory of its own has an empty one. */
const KEYS = {
  day,
  session: sql<string>`${usageEntries.sessionId}`,
  engine: sql<string>`${usageEntries.engineId}`,
  model: sql<string>`${usageEntries.model}`,
  payer: sql<string>`${usageEntries.payer}`,
  directory: sql<string>`coalesce(${usageEntries.directory}, '')`,
} as const satisfies Record<UsageGrouping, unknown>;

type GroupRow = { key: string; bucket: SpendBucket } & BucketTotal;

/**
 * Usage summed per group and bucket, by the database. Buckets are never added to each other:
 * a sum of a measured and an estimated figure would be neither.
 */
export async function summariseUsage(
  database: Database,
  accountId: AccountId,
  query: UsageRange & { by: UsageGrouping },
): Promise<UsageSummary> {
  const key = KEYS[query.by];
  const rows: GroupRow[] = await database
    .select({
      key,
      bucket: usageEntries.bucket,
      microUsd: total(usageEntries.microUsd),
      inputTokens: total(usageEntries.inputTokens),
      outputTokens: total(usageEntries.outputTokens),
      cacheReadTokens: total(usageEntries.cacheReadTokens),
      cacheWriteTokens: total(usageEntries.cacheWriteTokens),
      entries: sql<number>`count(*)`.mapWith(Number),
      unpriced: sql<number>`count(*) - count(${usageEntries.microUsd})`.mapWith(Number),
    })
    .from(usageEntries)
    .where(inRange(accountId, query))
    .groupBy(key, usageEntries.bucket);
  const groups = new Map<string, SpendTotals>();
  let totals: SpendTotals = {};
  for (const { key: group, bucket, ...figures } of rows) {
    groups.set(group, { ...groups.get(group), [bucket]: figures });
    totals = { ...totals, [bucket]: addTotals(totals[bucket], figures) };
  }
  const labels =
    query.by === 'session' ? await readTitles(database, accountId) : new Map<string, string>();
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

const total = (column: Parameters<typeof sum>[0]) =>
  sql<number>`coalesce(${sum(column)}, 0)`.mapWith(Number);

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

async function readTitles(database: Database, accountId: AccountId): Promise<Map<string, string>> {
  const rows = await database
    .select({ sessionId: sessions.sessionId, title: sessions.title })
    .from(sessions)
    .where(eq(sessions.accountId, accountId));
  return new Map(rows.map((row) => [row.sessionId, row.title]));
}
