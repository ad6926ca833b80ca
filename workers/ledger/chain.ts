import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ChainedLedger } from '../../protocol/chain.ts';
import type { ChainHead } from '../../protocol/chain-head.ts';
import {
  acts,
  actOutcomes,
  actWitnesses,
  approvalDecisions,
  approvalRequests,
  breaches,
  breachOverrides,
  type chainLinks,
  usageEntries,
} from '../db/schema.ts';
import { sha256Hex } from '../lib/crypto.ts';
import type { LedgerRow, LedgerSource } from './rows.ts';

type ChainOwner = Pick<LedgerSource, 'accountId' | 'actorId' | 'sessionId'>;
export type ChainLink = typeof chainLinks.$inferSelect;
/** A row as the database holds it: its values by the names of their columns. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Each chained ledger: its table, and the columns that name a row in its session. */
export const CHAINED = {
  usage: { table: usageEntries, key: ['turn_id', 'model', 'source_seq', 'ordinal'] },
  act: { table: acts, key: ['act_id'] },
  actOutcome: { table: actOutcomes, key: ['act_id', 'position'] },
  actWitness: { table: actWitnesses, key: ['act_id', 'position'] },
  breach: { table: breaches, key: ['act_id'] },
  breachOverride: { table: breachOverrides, key: ['act_id'] },
  approvalRequest: { table: approvalRequests, key: ['request_id'] },
  approvalDecision: { table: approvalDecisions, key: ['request_id', 'position'] },
} as const satisfies Record<LedgerRow['table'], { table: SQLiteTable; key: string[] }>;

/** What names a row of a ledger in its session. */
export const keyOf = (ledger: ChainedLedger, row: StoredRow): string =>
  CHAINED[ledger].key.map((column) => String(row[column])).join(' ');

/**
 * The hash of a row as the database holds it. A column without a value is left out, so that a
 * later migration may add one.
 */
export function hashRow(row: StoredRow): Promise<string> {
  const held = Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sha256Hex(JSON.stringify(held));
}

/** The hash of a link after the one with this hash; the first follows nothing. */
export function hashLink(before: string, link: Omit<ChainLink, 'hash'>): Promise<string> {
  const { accountId, actorId, sessionId, number, ledger, rowKey, position, at, rowSha256 } = link;
  const of = [accountId, actorId, sessionId, number, ledger, rowKey, position, at, rowSha256];
  return sha256Hex(JSON.stringify([before, ...of]));
}

/** The link that a chain begins with: it holds for what comes after this position. */
async function begin(
  { accountId, actorId, sessionId }: ChainOwner,
  after: number,
  nowMs: number,
): Promise<ChainLink> {
  const of = { position: after, at: nowMs, number: 0, ledger: 'genesis', rowKey: '' } as const;
  const link = { accountId, actorId, sessionId, ...of, rowSha256: '' };
  return { ...link, hash: await hashLink('', link) };
}

/**
 * The links that rows add to a chain, in their order. A chain without a head begins here, and holds
 * from the position `after` on.
 */
export async function linkRows(
  owner: ChainOwner,
  head: ChainHead | null,
  rows: readonly LedgerRow[],
  { after, nowMs }: { after: number; nowMs: number },
): Promise<ChainLink[]> {
  if (rows.length === 0) return [];
  const links = head ? [] : [await begin(owner, after, nowMs)];
  let last = head ?? { number: 0, hash: links[0]?.hash ?? '' };
  for (const row of rows) {
    const stored = storedForm(row);
    const link = {
      accountId: owner.accountId,
      actorId: row.values.actorId,
      sessionId: owner.sessionId,
      position: row.values.position,
      at: row.values.at,
      number: last.number + 1,
      ledger: row.table,
      rowKey: keyOf(row.table, stored),
      rowSha256: await hashRow(stored),
    };
    last = { number: link.number, hash: await hashLink(last.hash, link) };
    links.push({ ...link, hash: last.hash });
  }
  return links;
}

/** A row in the form in which the database gives it back. */
function storedForm({ table, values }: LedgerRow): StoredRow {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    Object.entries(getTableColumns<SQLiteTable>(CHAINED[table].table)).map(([name, column]) => {
      const value = given[name] ?? null;
      return [column.name, value === null ? null : column.mapToDriverValue(value)];
    }),
  );
}
