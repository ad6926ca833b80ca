import { lt, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import {
  acts,
  actOutcomes,
  actWitnesses,
  breaches,
  breachOverrides,
  approvalDecisions,
  approvalRequests,
  sessions,
  usageEntries,
} from '../db/schema.ts';
import type { LedgerRow } from './rows.ts';

/**
 * Writes a page's ledger rows and the session's row in one atomic batch. Applying a page twice
 * changes nothing: every ledger row has a natural key, and the session's row never goes back to
 * an older position.
 */
export async function appendLedgers(
  database: Database,
  row: typeof sessions.$inferSelect,
  rows: readonly LedgerRow[],
): Promise<void> {
  const session = database
    .insert(sessions)
    .values(row)
    .onConflictDoUpdate({
      target: sessions.sessionId,
      set: {
        grade: sql`excluded.grade`,
        state: sql`excluded.state`,
        reason: sql`excluded.reason`,
        dismissedAt: sql`excluded.dismissed_at`,
        dismissedBy: sql`excluded.dismissed_by`,
        pendingApprovals: sql`excluded.pending_approvals`,
        approvalExpiredAt: sql`excluded.approval_expired_at`,
        spend: sql`excluded.spend`,
        acts: sql`excluded.acts`,
        breaches: sql`excluded.breaches`,
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
    case 'actWitness':
      return database.insert(actWitnesses).values(row.values).onConflictDoNothing();
    case 'breach':
      return database.insert(breaches).values(row.values).onConflictDoNothing();
    case 'breachOverride':
      return database.insert(breachOverrides).values(row.values).onConflictDoNothing();
    case 'approvalRequest':
      return database.insert(approvalRequests).values(row.values).onConflictDoNothing();
    case 'approvalDecision':
      return database.insert(approvalDecisions).values(row.values).onConflictDoNothing();
    default:
      return row satisfies never;
  }
}
