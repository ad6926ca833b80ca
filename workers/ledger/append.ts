import { lt, sql } from 'drizzle-orm';
import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Database } from '../db/client.ts';
import { acts, actOutcomes, approvalDecisions, approvalRequests, sessions, usageEntries } from '../db/schema.ts';
import { decideRows, type LedgerRow, type LedgerSource, sessionRow } from './rows.ts';

/**
 * Writes what a page of a record means for the ledgers, and the session's row, in one atomic
 * batch. Applying a page twice changes nothing: every ledger row has a natural key, and the
 * session's row never goes back to an older position.
 */
export async function appendLedgers(
  database: Database,
  source: LedgerSource,
  entries: readonly FeedEntry[],
  now: { view: SessionView; position: number },
): Promise<void> {
  const rows = (await Promise.all(entries.map((entry) => decideRows(source, now.view, entry)))).flat();
  const session = database
    .insert(sessions)
    .values(sessionRow(source, now.view, now.position))
    .onConflictDoUpdate({
      target: sessions.sessionId,
      set: {
        state: sql`excluded.state`,
        reason: sql`excluded.reason`,
        pendingApprovals: sql`excluded.pending_approvals`,
        spend: sql`excluded.spend`,
        acts: sql`excluded.acts`,
        position: sql`excluded.position`,
        updatedAt: sql`excluded.updated_at`,
      },
      setWhere: lt(sessions.position, sql`excluded.position`),
    });
  await database.batch([session, ...rows.map((row) => insertRow(database, row))]);
}

function insertRow(database: Database, row: LedgerRow) {
  switch (row.table) {
    case 'usage':
      return database.insert(usageEntries).values(row.values).onConflictDoNothing();
    case 'act':
      return database.insert(acts).values(row.values).onConflictDoNothing();
    case 'actOutcome':
      return database.insert(actOutcomes).values(row.values).onConflictDoNothing();
    case 'approvalRequest':
      return database.insert(approvalRequests).values(row.values).onConflictDoNothing();
    case 'approvalDecision':
      return database.insert(approvalDecisions).values(row.values).onConflictDoNothing();
    default:
      return row satisfies never;
  }
}
