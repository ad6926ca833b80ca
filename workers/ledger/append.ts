import { lt, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import {
  acts,
  actOutcomes,
  actWitnesses,
  breaches,
  breachOverrides,
  chainLinks,
  approvalDecisions,
  approvalRequests,
  sessions,
  usageEntries,
} from '../db/schema.ts';
import type { ChainLink } from './chain.ts';
import type { LedgerRow } from './rows.ts';

/** Links in one statement: it may bind 100 values, and a link has ten. */
const LINKS_AT_ONCE = 10;

/**
 * Writes a page's ledger rows, their links and the session's row in one atomic batch. Applying a
 * page twice changes nothing: every ledger row has a natural key, a link its number, and the
 * session's row never goes back to an older position.
 */
export async function appendLedgers(
  database: Database,
  row: typeof sessions.$inferSelect,
  { rows, links }: { rows: readonly LedgerRow[]; links: readonly ChainLink[] },
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
  await database.batch([
    session,
    ...rows.map((row) => insertRow(database, row)),
    ...bundles(links).map((some) => database.insert(chainLinks).values(some).onConflictDoNothing()),
  ]);
}

const bundles = (links: readonly ChainLink[]): ChainLink[][] =>
  Array.from({ length: Math.ceil(links.length / LINKS_AT_ONCE) }, (_, index) =>
    links.slice(index * LINKS_AT_ONCE, (index + 1) * LINKS_AT_ONCE),
  );

/** Writes one row of a ledger; one that is there stays as it is. */
export function insertRow(database: Database, row: LedgerRow) {
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

/**
 * Statements that write what a call of an operator did, for the batch of its decision or its end.
 * An instance has no session, and so no chain that its rows could be missing from.
 */
export const insertTold = (
  database: Database,
  { acts: told, ends }: { acts: readonly RowOf<'act'>[]; ends: readonly RowOf<'actOutcome'>[] },
) => [
  ...told.map((values) => insertRow(database, { table: 'act', values })),
  ...ends.map((values) => insertRow(database, { table: 'actOutcome', values })),
];

type RowOf<T extends LedgerRow['table']> = Extract<LedgerRow, { table: T }>['values'];
