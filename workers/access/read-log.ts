import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { AccessRow, AuditFilter } from '../../protocol/audit.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { accessLog } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** A page of who did what to what, newest first. Throws `bad_request` for a strange cursor. */
export async function listAccess(
  database: Database,
  accountId: AccountId,
  query: Omit<AuditFilter, 'sessionId'> & { cursor?: string | undefined; limit: number },
): Promise<Page<AccessRow>> {
  const { from, to } = query;
  const [at, id] = parseCursor(query.cursor, 2);
  const rows = await database
    .select()
    .from(accessLog)
    .where(
      and(
        eq(accessLog.accountId, accountId),
        from === undefined ? undefined : gte(accessLog.at, from),
        to === undefined ? undefined : lt(accessLog.at, to),
        at === undefined
          ? undefined
          : sql`(${accessLog.at}, ${accessLog.requestId}) < (${numberOf(at)}, ${id})`,
      ),
    )
    .orderBy(desc(accessLog.at), desc(accessLog.requestId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.at, row.requestId]);
  return {
    items: items.map(({ accountId: _account, actorId: _actor, ...row }) => row),
    nextCursor,
  };
}
