import { and, asc, eq, gt } from 'drizzle-orm';
import { type SQLiteColumn, union } from 'drizzle-orm/sqlite-core';
import type { SessionChain } from '../../protocol/chain.ts';
import type { ChainEnds } from '../../protocol/chain-head.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { chainLinks, sessions } from '../db/schema.ts';
import { type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { verifyChain } from './verify-chain.ts';

type ChainQuery = {
  sessionId?: SessionId | undefined;
  cursor?: string | undefined;
  limit: number;
};

/**
 * A page of sessions, each compared with its chain, in the order of their ids. A session whose own
 * row is gone is found by its chain. Throws `bad_request` for a cursor that is not one of ours.
 */
export async function listChains(
  database: Database,
  accountId: AccountId,
  { sessionId, cursor, limit }: ChainQuery,
  readEnds: (sessionId: SessionId) => Promise<ChainEnds>,
): Promise<Page<SessionChain>> {
  const [after = ''] = parseCursor(cursor, 1);
  const of = (account: SQLiteColumn, session: SQLiteColumn) =>
    and(eq(account, accountId), gt(session, after), sessionId && eq(session, sessionId));
  const listed = database.select({ sessionId: sessions.sessionId }).from(sessions);
  const chained = database.select({ sessionId: chainLinks.sessionId }).from(chainLinks);
  const ids = union(
    listed.where(of(sessions.accountId, sessions.sessionId)),
    chained.where(of(chainLinks.accountId, chainLinks.sessionId)),
  ).as('ids');
  const rows = await database
    .select({ sessionId: ids.sessionId, title: sessions.title })
    .from(ids)
    .leftJoin(sessions, eq(sessions.sessionId, ids.sessionId))
    .orderBy(asc(ids.sessionId))
    .limit(limit + 1);
  const { items, nextCursor } = pageFrom(rows, limit, (row) => [row.sessionId]);
  const chains: SessionChain[] = [];
  for (const row of items) {
    chains.push(await verifyChain(database, { accountId, ...row }, () => readEnds(row.sessionId)));
  }
  return { items: chains, nextCursor };
}
