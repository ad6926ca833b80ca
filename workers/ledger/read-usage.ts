import { OPERATOR_SOURCE } from '../../protocol/usage.ts';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type UsageRow } from '../../protocol/http.ts';
import { type AccountId, type SessionId, turnId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { sessions, usageEntries } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

export type UsageRange = { from?: number | undefined; to?: number | undefined };

/** An account's entries in a range of time: `from` inclusive, `to` exclusive, Unix ms. */
export function inRange(accountId: AccountId, range: UsageRange): SQL | undefined {
  return and(
    eq(usageEntries.accountId, accountId),
    range.from === undefined ? undefined : gte(usageEntries.at, range.from),
    range.to === undefined ? undefined : lt(usageEntries.at, range.to),
  );
}

/** A page of usage entries, newest first. */
export async function listUsage(
  database: Database,
  accountId: AccountId,
  query: UsageRange & {
    cursor?: string | undefined;
    limit: number;
    sessionId?: SessionId | undefined;
  },
): Promise<Page<UsageRow>> {
  // The rowid breaks ties: entries of one event share their time.
  const rowid = sql<number>`${usageEntries}.rowid`;
  const [at, tie] = parseCursor(query.cursor, 2);
  const before =
    at === undefined
      ? undefined
      : sql`(${usageEntries.at}, ${rowid}) < (${numberOf(at)}, ${numberOf(tie)})`;
  const rows = await database
    .select({ entry: usageEntries, rowid, title: sessions.title })
    .from(usageEntries)
    .leftJoin(sessions, eq(sessions.sessionId, usageEntries.sessionId))
    .where(
      and(
        inRange(accountId, query),
        query.sessionId ? eq(usageEntries.sessionId, query.sessionId) : undefined,
        before,
      ),
    )
    .orderBy(desc(usageEntries.at), desc(rowid))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.entry.at, row.rowid]);
  return {
    items: items.map(({ entry, title }) => toUsageRow(entry, title ?? titleWithout(entry))),
    nextCursor,
  };
}

/** Who spent it where an operator's agent asked a model: there is no session to name. */
export const OPERATOR_TITLE = 'agent of an operator';

/** An entry of no session is an operator’s: its agent asked a model. */
const titleWithout = ({ engineId }: typeof usageEntries.$inferSelect): string =>
  engineId === OPERATOR_SOURCE ? OPERATOR_TITLE : '';

function toUsageRow(entry: typeof usageEntries.$inferSelect, sessionTitle: string): UsageRow {
  return {
    model: entry.model,
    provenance: entry.provenance,
    payer: entry.payer,
    inputTokens: entry.inputTokens,
    outputTokens: entry.outputTokens,
    cacheReadTokens: entry.cacheReadTokens,
    cacheWriteTokens: entry.cacheWriteTokens,
    microUsd: entry.microUsd,
    bucket: entry.bucket,
    sessionId: entry.sessionId,
    sessionTitle,
    engineId: entry.engineId,
    turnId: entry.turnId === '' ? null : turnId.parse(entry.turnId),
    at: entry.at,
  };
}
