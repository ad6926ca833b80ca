import { and, desc, eq, sql } from 'drizzle-orm';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { PaneRecord } from '../../protocol/panes.ts';
import type { Database } from '../db/client.ts';
import { paneRecords } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** Appends what was seen at a terminal. The same rows again change nothing. */
export async function appendPaneRecords(
  database: Database,
  accountId: AccountId,
  rows: readonly PaneRecord[],
): Promise<void> {
  const [first, ...rest] = rows.map((row) =>
    database
      .insert(paneRecords)
      .values({ ...row, accountId })
      .onConflictDoNothing(),
  );
  if (first) await database.batch([first, ...rest]);
}

/** A page of them, newest first. Throws `bad_request` for a cursor that is not one of ours. */
export async function listPaneRecords(
  database: Database,
  accountId: AccountId,
  query: {
    runnerId: RunnerId;
    target?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<Page<PaneRecord>> {
  const [at, id] = parseCursor(query.cursor, 2);
  const before =
    at === undefined
      ? undefined
      : sql`(${paneRecords.at}, ${paneRecords.id}) < (${numberOf(at)}, ${id})`;
  const rows = await database
    .select()
    .from(paneRecords)
    .where(
      and(
        eq(paneRecords.accountId, accountId),
        eq(paneRecords.runnerId, query.runnerId),
        query.target === undefined ? undefined : eq(paneRecords.target, query.target),
        before,
      ),
    )
    .orderBy(desc(paneRecords.at), desc(paneRecords.id))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.at, row.id]);
  return { items: items.map(({ accountId: _own, ...record }) => record), nextCursor };
}
